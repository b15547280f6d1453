\\ First coordinate of A^-1·e_1 for the Trefethen matrices of test/algorithms/rational/solve.test.ts by PARI/GP.
\\ gp -q -s 3G trefethen.gp > trefethen.json
T(n) = matrix(n, n, i, j, if (i == j, prime(i), my(d = abs(i - j)); if (d == 2^valuation(d, 2), 1, 0)));
sizes = [20, 200, 700, 2000];
print("{");
for (k = 1, #sizes, {
  my(n = sizes[k], x = matsolve(T(n), vectorv(n, i, i == 1))[1]);
  print("  \"", n, "\": [\"", numerator(x), "\", \"", denominator(x), "\"]", if (k < #sizes, ",", ""));
});
print("}");
quit
