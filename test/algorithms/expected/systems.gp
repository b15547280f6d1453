\\ Kernels and systems mod p of the matrices of test/algorithms/expected/matrices.ts by PARI/GP.
\\ gp -q test/algorithms/expected/systems.gp > test/algorithms/expected/systems.json
\\ A folded matrix: its last n\3 columns are the n\3 before them plus column 1. Right sides: A·(1, ..., n) and i^2 mod 97.
noise(n, t, s) = matrix(n, n, i, j, my(h = lift(Mod(1103*i + 2711*j + 977*s, 10007)^3)); if (h % 101 < t, (h \ 101) % 11 - 5, 0));
folded(A, n) = my(k = n \ 3); matrix(n, n, i, j, if (j > n - k, A[i, j - k] + A[i, 1], A[i, j]));
shapes = [[1, 101, 0, 0], [6, 40, 1, 1], [9, 50, 2, 0], [16, 9, 3, 0], [16, 30, 4, 1], [24, 8, 5, 1], [24, 20, 6, 0]];
moduli = [2, 3, 5, 7, 101, 65521, 2147483629, 2305843009213693951];
words(v) = concat(["[", concat(vector(#v, k, Str(if (k > 1, ",", ""), "\"", v[k], "\""))), "]"]);
\\ The basis of the kernel in reduced echelon form of its own, which is unique: rows, first entry 1.
echelon(K) = my(r = 0, m, c); m = K~; for (j = 1, #m, c = 0; for (i = r + 1, #m~, if (m[i, j] != 0, c = i; break)); if (c, r++; my(t = m[r,]); m[r,] = m[c,]; m[c,] = t; m[r,] = m[r,] / m[r, j]; for (i = 1, #m~, if (i != r, m[i,] = m[i,] - m[i, j] * m[r,])))); m;
rows(K) = if (#K == 0, "[]", my(m = lift(echelon(K))); concat(["[", concat(vector(#m~, i, Str(if (i > 1, ",", ""), words(m[i,])))), "]"]));
solvable(A, b, p) = if (matsolvemod(lift(A), p, lift(b)) == 0 && b != 0, "false", "true");
first = 1;
print("[");
for (x = 1, #shapes, for (y = 1, #moduli, {
  my(v = shapes[x], p = moduli[y], n = v[1], A, e, b);
  A = noise(n, v[2], v[3]); if (v[4], A = folded(A, n)); A = A * Mod(1, p);
  e = A * vector(n, j, Mod(j, p))~; b = vector(n, i, Mod(i^2 % 97, p))~;
  print(if (first, " ", ","), "{\"shape\":[", v[1], ",", v[2], ",", v[3], "],\"folded\":", v[4], ",\"p\":\"", p,
    "\",\"kernel\":", rows(matker(A)), ",\"leftKernel\":", rows(matker(A~)), ",\"consistent\":[", solvable(A, e, p), ",", solvable(A, b, p), "]}");
  first = 0;
}));
print("]");
quit
