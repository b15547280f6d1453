// FLINT's ranks of many small matrices mod p, one thread, as a process beside the benchmark.
//   flint-ranks p      SMS after SMS on standard input → "milliseconds of nmod_mat_rank alone, sum of the ranks"
#include <flint/nmod_mat.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

int main(int count, char **words) {
  if (count != 2) return 2;
  const mp_limb_t p = strtoull(words[1], NULL, 10);
  double ms = 0;
  long sum = 0, rows, cols, i, j;
  unsigned long value;
  while (scanf("%ld %ld %*c", &rows, &cols) == 2) {
    nmod_mat_t a;
    nmod_mat_init(a, rows, cols, p);
    while (scanf("%ld %ld %lu", &i, &j, &value) == 3 && i > 0) nmod_mat_entry(a, i - 1, j - 1) = value % p;
    const double start = now();
    sum += nmod_mat_rank(a);
    ms += now() - start;
    nmod_mat_clear(a);
  }
  printf("%f %ld\n", ms, sum);
}
