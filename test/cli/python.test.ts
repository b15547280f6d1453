/** The file for Python, with scipy: answers of it are those of theorems and of small matrices by hand. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PYTHON } from '../python.js';
import { CLI } from './run.js';

const FOLDER = resolve(import.meta.dirname, '../../src/python');

/** Why the tests are skipped; null where scipy is there. */
const missing = ((): string | null => {
  try {
    execFileSync(PYTHON, ['-c', 'import scipy.sparse'], { stdio: 'pipe' });
    return null;
  } catch {
    return 'python3 with scipy is not here (apt install python3-scipy)';
  }
})();
if (missing) console.warn(`tests of the file for Python are skipped: ${missing}`);

function python(program: string): string {
  const head = `import sys, json\nsys.path.insert(0, ${JSON.stringify(FOLDER)})\nimport numpy as np, scipy.sparse as sp, wiedemann as w\n`;
  const set = `w.PROGRAM = [${JSON.stringify(process.execPath)}, ${JSON.stringify(CLI)}]\n`;
  return execFileSync(PYTHON, ['-B', '-c', `${head}${set}${program}`], { encoding: 'utf8' }).trim();
}

describe.skipIf(missing !== null)('wiedemann.py', () => {
  test('rank, det, minpoly, nullspace and solve of matrices of every format', () => {
    const program = `
a = sp.csr_matrix(np.array([[1, 0, -1], [2, 0, -2]]))
d = sp.coo_matrix(np.array([[2.0, 0], [0, 3]]))
big = sp.csc_matrix(np.array([[2**62, 1], [0, 1]]))
print(json.dumps([
  w.rank(a, 65521), w.rank(a.tocsc(), 2), w.rank(sp.lil_matrix(a.toarray() % 2 == 1), 2, method='elimination'),
  w.det(d, 101), w.det(big, 0) == 2**62, w.minpoly(d, 101),
  w.nullspace(a, 7).toarray().tolist(), w.nullspace(a, 7, left=True).toarray().tolist(),
  [int(x) for x in w.solve(d, [2, 6], 101)], [[str(x) for x in row] for row in w.solve(d, [[1, 2], [1, 3]], 0)],
]))
`;
    expect(JSON.parse(python(program))).toEqual([
      ...[1, 1, 1],
      ...[6, true, [6, 96, 1]], // (x − 2)(x − 3)
      ...[
        [
          [0, 1, 0],
          [1, 0, 1],
        ],
        [[5, 1]],
      ],
      ...[
        [1, 2],
        [
          ['1/2', '1'],
          ['1/3', '1'],
        ],
      ],
    ]);
  });

  test('the kernel of a random matrix is one, by numpy', () => {
    const program = `
r = sp.random(40, 60, density=0.1, random_state=3, format='csr'); r.data = np.round(r.data * 100)
k = w.nullspace(r, 32003)
product = (r.astype(np.int64) @ k.T.astype(np.int64)).toarray() % 32003
print(k.shape[0] + w.rank(r, 32003), k.shape[1], int(abs(product).sum()))
`;
    expect(python(program)).toBe('60 60 0');
  });

  test('a refusal is an exception with the line of the program', () => {
    const program = `
for call in [lambda: w.solve(sp.csr_matrix([[1], [1]]), [1, 2], 7), lambda: w.rank(sp.csr_matrix([[0.5]]), 7), lambda: w.rank(sp.csr_matrix([[1]]), 6)]:
    try: call()
    except w.WiedemannError as e: print(type(e).__name__, e.code, e)
`;
    const [first, second, third] = python(program).split('\n');
    expect(first).toMatch(/^NoSolution 3 solve: .*no solution/);
    expect(second).toBe(
      'WiedemannError 65 rank: <stdin>/data.npy: byte 128: expected a value that is an integer, got 0.5',
    );
    expect(third).toMatch(/^WiedemannError 2 rank: .*6/);
  });

  test('what is no matrix, no number, no option or no program is told so in a line', () => {
    const program = `
one = sp.csr_matrix([[1]])
def missing(*program):
    w.PROGRAM = list(program)
    return w.rank(one, 7)
for call in [
  lambda: w.rank(np.array([[10**30]], dtype=object), 7),
  lambda: w.nullspace(sp.csr_matrix([[1, 1]]), 2**89 - 1),
  *[lambda b=b: w.solve(one, [b], 7) for b in [0.5, float('nan'), float('inf'), 'x', None]],
  lambda: w.solve(one, [1, 2], 7),
  lambda: w.rank(one, 7, colour='red'),
  lambda: w.rank(one, 7, method='magic'),
  lambda: missing('/nowhere/wiedemann'),
  lambda: missing('sh', '-c', 'exit 9'),
  lambda: missing('sh', '-c', 'kill -9 $$'),
]:
    try: print('no error', call())
    except (w.WiedemannError, TypeError, OverflowError) as e: print(type(e).__name__, getattr(e, 'code', ''), e)
`;
    const lines = python(program).split('\n');
    const b = (got: string): string => `TypeError  solve: expected integers in b, got ${got}`;
    expect(lines.slice(0, 7)).toEqual([
      'TypeError  wiedemann: expected a matrix of numbers of NumPy, got one of objects',
      'OverflowError  nullspace: expected values below 2^63, which matrices of scipy hold, got more',
      ...['0.5', 'nan', 'inf', "'x'", 'None'].map(b),
    ]);
    expect(lines[7]).toBe('WiedemannError 65 solve: expected right sides of 1 rows, got 2');
    expect(lines[8]).toMatch(/^WiedemannError 2 .*--colour/);
    expect(lines[9]).toMatch(/^WiedemannError 2 .*magic/);
    expect(lines.slice(10)).toEqual([
      'WiedemannError None expected the program /nowhere/wiedemann: No such file or directory',
      'WiedemannError 9 exit code 9',
      'WiedemannError -9 exit code -9',
    ]);
  });
});
