// LinBox's solve of one sparse system A·x = b mod p, a method a process, one thread.
//   linbox-solve FILE RIGHT P METHOD     FILE: SMS; RIGHT: the entries of b, a line each; METHOD: elimination, blackbox
// One line: the seconds of processor time, of reading and of solving, and whether A·x = b.
#include <linbox/linbox-config.h>

#include <ctime>
#include <fstream>
#include <givaro/modular.h>
#include <iostream>
#include <linbox/matrix/sparse-matrix.h>
#include <linbox/solutions/methods.h>
#include <linbox/solutions/solve.h>
#include <linbox/util/matrix-stream.h>
#include <string>

static double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

int main(int count, char **words) {
  if (count != 5) return 2;
  using Field = Givaro::Modular<double>;
  const std::string method = words[4];
  Field F(std::stod(words[3]));
  std::ifstream matrix(words[1]), right(words[2]);
  LinBox::MatrixStream<Field> stream(F, matrix);
  LinBox::SparseMatrix<Field> a(stream);
  LinBox::DenseVector<Field> x(F, a.coldim()), b(F, a.rowdim()), product(F, a.rowdim());
  for (size_t i = 0; i < b.size(); i++) {
    long value;
    if (!(right >> value)) return 3;
    F.init(b[i], value);
  }
  const double read = seconds();
  // Elimination overwrites its matrix.
  LinBox::SparseMatrix<Field> given(a);
  const double start = seconds();
  if (method == "elimination") LinBox::solve(x, given, b, LinBox::Method::SparseElimination());
  else LinBox::solve(x, given, b, LinBox::Method::Blackbox());
  const double solved = seconds() - start;
  a.apply(product, x);
  bool holds = true;
  for (size_t i = 0; i < b.size(); i++) holds = holds && F.areEqual(product[i], b[i]);
  std::cout << read << ' ' << solved << ' ' << (holds ? "holds" : "fails") << std::endl;
  return 0;
}
