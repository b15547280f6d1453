// FFLAS-FFPACK's PLUQ of one dense matrix mod p, one thread, as a process beside the benchmark.
//   fflas-pluq n rank p      A = X·Y, X : n × rank, Y : rank × n uniform; then one line a line of input:
//   "double" or "balanced" on standard input, by the representation of residues → "milliseconds rank"
#include <chrono>
#include <cstdint>
#include <fflas-ffpack/ffpack/ffpack.h>
#include <givaro/modular-balanced.h>
#include <givaro/modular.h>
#include <iostream>
#include <random>
#include <string>
#include <vector>

template <class Field> void once(size_t n, const std::vector<uint32_t> &residues, uint64_t p) {
  Field F(p);
  std::vector<typename Field::Element> a(n * n);
  for (size_t i = 0; i < n * n; i++) F.init(a[i], (int64_t)residues[i]);
  std::vector<size_t> P(n), Q(n);
  const auto start = std::chrono::steady_clock::now();
  const size_t rank = FFPACK::PLUQ(F, FFLAS::FflasNonUnit, n, n, a.data(), n, P.data(), Q.data());
  const std::chrono::duration<double, std::milli> used = std::chrono::steady_clock::now() - start;
  std::cout << used.count() << ' ' << rank << std::endl;
}

int main(int count, char **words) {
  if (count != 4) return 2;
  const size_t n = std::stoul(words[1]), r = std::stoul(words[2]);
  const uint64_t p = std::stoull(words[3]);
  std::mt19937_64 random(17);
  std::vector<uint32_t> residues(n * n);
  if (r == n) {
    for (auto &x : residues) x = random() % p;
  } else {
    using F = Givaro::Modular<double>;
    F field(p);
    std::vector<double> x(n * r), y(r * n), a(n * n);
    for (auto &v : x) v = random() % p;
    for (auto &v : y) v = random() % p;
    FFLAS::fgemm(field, FFLAS::FflasNoTrans, FFLAS::FflasNoTrans, n, n, r, 1.0, x.data(), r, y.data(), n, 0.0,
                 a.data(), n);
    for (size_t i = 0; i < n * n; i++) residues[i] = (uint32_t)a[i];
  }
  std::string kind;
  while (std::cin >> kind) {
    if (kind == "balanced") once<Givaro::ModularBalanced<double>>(n, residues, p);
    else once<Givaro::Modular<double>>(n, residues, p);
  }
}
