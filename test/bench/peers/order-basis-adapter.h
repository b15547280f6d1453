/**
 * Order basis of a matrix power series held as a std::vector of coefficient matrices, by LinBox 1.7's PM-basis.
 *
 *   serie : d coefficients, m x n     sigma : the basis, m x m, at least d + 1 coefficients     defect : m row degrees
 *
 * LinBox ships an example (omp_block_rank.C) that calls the older class SigmaBasis, whose header no longer compiles;
 * the newer class OrderBasis computes the same basis on another data structure. This adapter gives the newer one the
 * older one's interface, so that the example needs no other change. Same convention on both sides: the rows of sigma
 * satisfy sigma * serie = O(x^order), and `defect` holds shifted row degrees, updated in place.
 */
#ifndef WIEDEMANN_BENCH_ORDER_BASIS_ADAPTER_H
#define WIEDEMANN_BENCH_ORDER_BASIS_ADAPTER_H

#include <linbox/linbox-config.h>
#include <linbox/matrix/dense-matrix.h>
#include <linbox/matrix/polynomial-matrix.h>
#include <linbox/algorithms/polynomial-matrix/order-basis.h>
#include <vector>

template <class Field>
class OrderBasisOnCoefficients {
public:
    typedef std::vector<LinBox::DenseMatrix<Field>> Coefficients;

    OrderBasisOnCoefficients(const Field &field, Coefficients &) : field_(field), basis_(field) {}

    void PM_Basis(Coefficients &sigma, const Coefficients &serie, size_t order, std::vector<size_t> &defect) {
        typedef typename LinBox::OrderBasis<Field>::MatrixP Polynomials;
        const size_t rows = serie[0].rowdim(), cols = serie[0].coldim();
        Polynomials input(field_, rows, cols, order), output(field_, rows, rows, order + 1);
        for (size_t k = 0; k < order; k++)
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < cols; j++) input.ref(i, j, k) = serie[k].getEntry(i, j);
        basis_.PM_Basis(output, input, order, defect);
        sigma.assign(output.size(), LinBox::DenseMatrix<Field>(field_, rows, rows));
        for (size_t k = 0; k < output.size(); k++)
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < rows; j++) sigma[k].setEntry(i, j, output.get(i, j, k));
    }

private:
    const Field &field_;
    LinBox::OrderBasis<Field> basis_;
};

#endif
