// LinBox's rank of a sparse matrix mod p < 2^26 by elimination, one thread.
//   linbox-eliminate FILE P     FILE: SMS
// One line: the rank.
#include <linbox/linbox-config.h>

#include <fstream>
#include <givaro/modular.h>
#include <iostream>
#include <linbox/matrix/sparse-matrix.h>
#include <linbox/solutions/methods.h>
#include <linbox/solutions/rank.h>
#include <linbox/util/matrix-stream.h>
#include <string>

int main(int count, char **words) {
  if (count != 3) return 2;
  using Field = Givaro::Modular<double>;
  Field F(std::stod(words[2]));
  std::ifstream matrix(words[1]);
  LinBox::MatrixStream<Field> stream(F, matrix);
  LinBox::SparseMatrix<Field, LinBox::SparseMatrixFormat::SparseSeq> a(stream);
  size_t rank;
  LinBox::rankInPlace(rank, a, LinBox::Method::SparseElimination());
  std::cout << rank << std::endl;
  return 0;
}
