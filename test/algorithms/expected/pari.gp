\\ Rank, determinant and minimal polynomial of the matrices of test/algorithms/expected/matrices.ts by PARI/GP.
\\ gp -q test/algorithms/expected/pari.gp > test/algorithms/expected/pari.json
noise(n, t, s) = matrix(n, n, i, j, my(h = lift(Mod(1103*i + 2711*j + 977*s, 10007)^3)); if (h % 101 < t, (h \ 101) % 11 - 5, 0));
shapes = [[1, 101, 0], [6, 40, 1], [9, 50, 2], [16, 9, 3], [16, 30, 4], [30, 5, 5], [30, 13, 6]];
moduli = [2, 3, 5, 7, 101, 2039, 32749, 65521, 65537, 2147483629, 2147483647, 2305843009213693951, 170141183460469231731687303715884105727];
first = 1;
print("[");
for (x = 1, #shapes, for (y = 1, #moduli, {
  my(v = shapes[x], p = moduli[y], A = noise(v[1], v[2], v[3]) * Mod(1, p));
  print(if (first, " ", ","), "{\"shape\":[", v[1], ",", v[2], ",", v[3], "],\"p\":\"", p, "\",\"rank\":", matrank(A),
    ",\"det\":\"", lift(matdet(A)), "\",\"minpoly\":[", concat(vector(poldegree(minpoly(A)) + 1, k, Str(if (k > 1, ",", ""), "\"", lift(polcoef(minpoly(A), k - 1)), "\""))), "]}");
  first = 0;
}));
print("]");
quit
