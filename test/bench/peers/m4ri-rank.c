// M4RI's rank of one random dense matrix over GF(2), one thread, as a process beside the benchmark.
//   m4ri-rank n rank      A = X·Y, X : n × rank, Y : rank × n uniform; then one line a line of input:
//   "ple" (its asymptotically fast decomposition) or "russian" (M4RI alone) on standard input → "milliseconds rank"
#include <m4ri/m4ri.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  const rci_t n = atoi(words[1]), r = atoi(words[2]);
  srandom(17);
  mzd_t *a = mzd_init(n, n);
  if (r == n) {
    mzd_randomize(a);
  } else {
    mzd_t *x = mzd_init(n, r), *y = mzd_init(r, n);
    mzd_randomize(x);
    mzd_randomize(y);
    mzd_mul(a, x, y, 0);
  }
  char kind[32];
  while (scanf("%31s", kind) == 1) {
    mzd_t *b = mzd_copy(NULL, a);
    const double start = now();
    const rci_t rank = strcmp(kind, "ple") == 0 ? mzd_echelonize_pluq(b, 0) : mzd_echelonize_m4ri(b, 0, 0);
    printf("%f %d\n", now() - start, rank);
    fflush(stdout);
    mzd_free(b);
  }
}
