"""Exact linear algebra of scipy's sparse matrices modulo a prime, by the program `wiedemann`. One file to copy.

    >>> import scipy.sparse as sparse, wiedemann
    >>> a = sparse.csr_matrix([[1, 0, -1], [2, 0, -2]])
    >>> wiedemann.rank(a, 65521)
    1
    >>> wiedemann.nullspace(a, 7).toarray().tolist()
    [[0, 1, 0], [1, 0, 1]]

Matrices are scipy's, of any format and of integers, booleans, or floats that are integers; values travel as they are.
Keywords are options of the command line: `rank(a, 0, method='hybrid', max_memory='2G', no_verify=True)`. The program is
`wiedemann` on the path, `npx wiedemann` otherwise, or the words of the list PROGRAM.
"""

import io
import json
import os
import shutil
import subprocess
import tempfile

import numpy
import scipy.sparse

PROGRAM = None


class WiedemannError(Exception):
    """What the program said, in one line; `code` is its exit code, None where it could not be started."""

    def __init__(self, line, code):
        super().__init__(line)
        self.code = code


class NoSolution(WiedemannError):
    """It is proved that the system has no solution."""


def rank(a, p, **options):
    """The rank, an int; over the rationals with p = 0."""
    return answer('rank', a, p, **options)['rank']


def det(a, p, **options):
    """The determinant, an int in 0 … p−1; over the integers with p = 0."""
    return int(answer('det', a, p, **options)['det'])


def minpoly(a, p, **options):
    """The coefficients of the minimal polynomial, ints, constant term first."""
    return [int(c) for c in answer('minpoly', a, p, **options)['minpoly']]


def nullspace(a, p, **options):
    """A basis of the kernel as the rows of a csr_matrix; of the left kernel with left=True, random with vectors=k."""
    said = _run(['nullspace', '-', '-p', str(p), '--format', 'json', '--quiet', *_words(options)], _npz(a))
    return _matrix(json.loads(said))


def solve(a, b, p, **options):
    """x with a x = b modulo p, for a vector or a matrix b of integers, as an array of its shape. Raises NoSolution."""
    right = numpy.asarray(b.toarray() if hasattr(b, 'toarray') else b, dtype=object)
    lines = right.reshape(right.shape[0], -1)
    folder = tempfile.mkdtemp()
    try:
        path = os.path.join(folder, 'a.npz')
        with open(path, 'wb') as file:
            file.write(_npz(a))
        text = ''.join(' '.join(str(_integer(x)) for x in row) + '\n' for row in lines)
        words = ['solve', path, '-', '-p', str(p), '--json', '--quiet', *_words(options)]
        rows = json.loads(_run(words, text.encode()))['solution']
    finally:
        shutil.rmtree(folder)
    x = numpy.array([[_number(v) for v in row] for row in rows], dtype=object).reshape(len(rows), -1)
    return x[:, 0] if right.ndim == 1 else x


def answer(verb, a, p, **options):
    """The JSON object of a verb: rank, minpoly, det, info or nullspace."""
    return json.loads(_run([verb, '-', '-p', str(p), '--json', '--quiet', *_words(options)], _npz(a)))


def _number(text):
    if '/' not in text:
        return int(text)
    from fractions import Fraction

    return Fraction(text)


def _npz(a):
    """Bytes of a sparse matrix whose values are plain numbers."""
    if getattr(a, 'dtype', None) == object:
        raise TypeError('wiedemann: expected a matrix of numbers of NumPy, got one of objects')
    matrix = scipy.sparse.coo_matrix(a)
    out = io.BytesIO()
    scipy.sparse.save_npz(out, matrix, compressed=False)
    return out.getvalue()


def _matrix(said):
    entries = said['entries']
    values = [int(value) for _, _, value in entries]
    if any(value >= 2**63 for value in values):
        raise OverflowError('nullspace: expected values below 2^63, which matrices of scipy hold, got more')
    data = numpy.array(values, dtype=numpy.int64)
    places = ([i for i, _, _ in entries], [j for _, j, _ in entries])
    return scipy.sparse.csr_matrix((data, places), shape=(said['rows'], said['cols']))


def _words(options):
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append('--' + name.replace('_', '-'))
        if value is not True:
            words.append(str(value))
    return words


def _integer(x):
    try:
        value = int(x)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None or value != x:
        raise TypeError('solve: expected integers in b, got %r' % (x,))
    return value


def _program():
    if PROGRAM is not None:
        return list(PROGRAM)
    return ['wiedemann'] if shutil.which('wiedemann') else ['npx', '--no', 'wiedemann']


def _run(words, stdin):
    program = _program()
    try:
        ended = subprocess.run([*program, *words], input=stdin, capture_output=True)
    except OSError as error:
        raise WiedemannError('expected the program %s: %s' % (program[0], error.strerror), None) from None
    if ended.returncode != 0:
        lines = ended.stderr.decode().strip().splitlines()
        kind = NoSolution if ended.returncode == 3 else WiedemannError
        raise kind(lines[-1] if lines else f'exit code {ended.returncode}', ended.returncode)
    return ended.stdout.decode()
