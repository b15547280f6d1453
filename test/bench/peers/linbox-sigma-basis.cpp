/**
 * LinBox 1.7's PM-basis on a random series: `linbox-sigma-basis ROWS COLS ORDER P RUNS`, one line of seconds a run.
 *
 * Word-size arithmetic in double where p allows it, 64-bit integers else; both go through LinBox's own choice of
 * polynomial-matrix product.
 */
#include <linbox/linbox-config.h>
#include <linbox/matrix/dense-matrix.h>
#include <linbox/matrix/polynomial-matrix.h>
#include <linbox/algorithms/polynomial-matrix/order-basis.h>
#include <givaro/modular.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class Field>
int bench(uint64_t p, size_t rows, size_t cols, size_t order, int runs) {
    typedef typename LinBox::OrderBasis<Field>::MatrixP Polynomials;
    const Field field(p);
    LinBox::OrderBasis<Field> basis(field);
    Polynomials series(field, rows, cols, order);
    uint64_t state = 88172645463325252ull;
    for (size_t k = 0; k < order; k++)
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < cols; j++) {
                state ^= state << 13, state ^= state >> 7, state ^= state << 17;
                series.ref(i, j, k) = typename Field::Element(state % p);
            }
    for (int run = 0; run < runs; run++) {
        Polynomials sigma(field, rows, rows, order + 1);
        std::vector<size_t> shift(rows, 0);
        const auto start = std::chrono::steady_clock::now();
        basis.PM_Basis(sigma, series, order, shift);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        std::printf("%.6f\n", seconds.count());
        std::fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    const size_t rows = std::atol(argv[1]), cols = std::atol(argv[2]), order = std::atol(argv[3]);
    const uint64_t p = std::strtoull(argv[4], nullptr, 10);
    const int runs = std::atoi(argv[5]);
    if (p < (1u << 26)) return bench<Givaro::Modular<double>>(p, rows, cols, order, runs);
    return bench<Givaro::Modular<int64_t>>(p, rows, cols, order, runs);
}
