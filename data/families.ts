/**
 * The matrix families that can be generated, by name: what `wiedemann generate FAMILY ARGS…` and the tests ask.
 *
 * A new family is its file in families/ and a line of this table. Instances are named as the Sparse Integer Matrices
 * Collection and SuiteSparse name them.
 */
import { isPrime } from '../fields/primality.js';
import { blockStructured } from './families/blocks.js';
import { chessboard } from './families/chessboard.js';
import { delaunay, geometric } from './families/graphs.js';
import { inclusion } from './families/inclusion.js';
import { matching } from './families/matching.js';
import { flower, kneser, wheel } from './families/nullstellensatz.js';
import { projectivePlane } from './families/projective-plane.js';
import { lowRank, powerLaw, random, web } from './families/random.js';
import { symmetricPower } from './families/symmetric-power.js';
import { trefethen } from './families/trefethen.js';
import { FamilyError, type Triplets } from './triplets.js';

export { FamilyError, type Triplets };

/** An argument on the command line: a whole number from `min` on, `p` a prime; with a default it may be left out. */
export interface FamilyArgument {
  readonly name: string;
  readonly min: number;
  readonly default?: number;
}

export interface Family {
  readonly name: string;
  readonly alias?: string; // its long name, understood as well
  readonly args: readonly FamilyArgument[];
  readonly doc: string; // one line
  /** The instance's name. */
  readonly instance: (...args: number[]) => string;
  readonly generate: (...args: number[]) => Triplets;
}

const arg = (name: string, min: number): FamilyArgument => ({ name, min });
const [SEED, PRIME] = [arg('seed', 0), arg('p', 2)];

export const FAMILIES: readonly Family[] = [
  {
    name: 'bibd',
    args: [arg('v', 2), arg('k', 2)],
    doc: 'pairs of v points against k-subsets, by inclusion',
    instance: (v, k) => `bibd_${v}_${k}`,
    generate: (v, k) => inclusion(2, k, v),
  },
  {
    name: 'inclusion',
    alias: 'w',
    args: [arg('t', 0), arg('k', 0), arg('v', 0)],
    doc: 'W_{t,k}(v): t-subsets of v points against k-subsets, by inclusion',
    instance: (t, k, v) => `W_${t}_${k}_${v}`,
    generate: inclusion,
  },
  {
    name: 'ch',
    alias: 'chessboard',
    args: [arg('m', 1), arg('n', 1), arg('K', 1)],
    doc: 'chessboard complex: boundary of K+1 non-attacking rooks on an m x n board',
    instance: (m, n, k) => `ch${m}-${n}-b${k}`,
    generate: chessboard,
  },
  {
    name: 'mk',
    alias: 'matching',
    args: [arg('n', 2), arg('K', 1)],
    doc: 'matching complex: boundary of K+1 disjoint edges of the complete graph on n points',
    instance: (n, k) => `mk${n}-b${k}`,
    generate: matching,
  },
  {
    name: 'trefethen',
    args: [arg('n', 1)],
    doc: 'primes on the diagonal, 1 where |i-j| is a power of two',
    instance: (n) => `Trefethen_${n}`,
    generate: (n) => trefethen(n),
  },
  {
    name: 'trefethen-nb',
    args: [arg('n', 2)],
    doc: 'trefethen without its first row and column',
    instance: (n) => `Trefethen_${n}b`,
    generate: (n) => trefethen(n, true),
  },
  {
    name: 'pg',
    alias: 'projective-plane',
    args: [arg('q', 2)],
    doc: 'points against lines of the projective plane over F_q, q prime, by incidence',
    instance: (q) => `PG(2,${q})`,
    generate: projectivePlane,
  },
  {
    name: 'ex',
    alias: 'symmetric-power',
    args: [arg('number', 1)],
    doc: '3rd symmetric power of a strongly regular graph: 1 rook 4x4, 2 Shrikhande, 5 disjoint lines of PG(3,2)',
    instance: (number) => `EX${number}`,
    generate: symmetricPower,
  },
  {
    name: 'wheel',
    args: [arg('n', 3)],
    doc: 'Nullstellensatz 3-colouring certificates of degree 1 for the wheel with n spokes',
    instance: (n) => `wheel_${n}_1`,
    generate: wheel,
  },
  {
    name: 'kneser',
    args: [arg('a', 1), arg('b', 1)],
    doc: 'the same for the Kneser graph of the b-subsets of a points',
    instance: (a, b) => `kneser_${a}_${b}_1`,
    generate: kneser,
  },
  {
    name: 'flower',
    args: [arg('n', 3)],
    doc: 'the same for the n-antiprism',
    instance: (n) => `flower_${n}_1`,
    generate: flower,
  },
  {
    name: 'random',
    args: [arg('rows', 0), arg('cols', 1), arg('r', 0), PRIME, SEED, { name: 'deficiency', min: 0, default: 0 }],
    doc: 'r uniform entries a row, values in 1…p-1; `deficiency` rows are combinations of others',
    instance: (rows, cols, r, p, seed, deficiency) => `random_${rows}_${cols}_${r}_${p}_${seed}_${deficiency}`,
    generate: random,
  },
  {
    name: 'low-rank',
    args: [arg('rows', 0), arg('cols', 1), arg('r', 0), PRIME, SEED, arg('rank', 1)],
    doc: 'multiples of `rank` rows with r uniform entries each, in turns',
    instance: (rows, cols, r, p, seed, rank) => `low_${rows}_${cols}_${r}_${p}_${seed}_${rank}`,
    generate: lowRank,
  },
  {
    name: 'power-law',
    args: [arg('rows', 0), arg('cols', 1), PRIME, SEED],
    doc: 'row lengths by Zipf(1.6) up to cols/4, 60 % of the values +-1',
    instance: (rows, cols, p, seed) => `power_${rows}_${cols}_${p}_${seed}`,
    generate: powerLaw,
  },
  {
    name: 'web',
    args: [arg('n', 0), arg('degree', 0), PRIME, SEED],
    doc: 'links of n pages: rows and columns by power laws, about `degree` entries a row, half of the values +-1',
    instance: (n, degree, p, seed) => `web_${n}_${degree}_${p}_${seed}`,
    generate: web,
  },
  {
    name: 'block-structured',
    args: [arg('n', 0), arg('b', 1), arg('blocks', 1), PRIME, SEED],
    doc: 'dense b x b blocks of the cells of a grid: a cell and its nearest, `blocks` together',
    instance: (n, b, blocks, p, seed) => `blocks_${n}_${b}_${blocks}_${p}_${seed}`,
    generate: blockStructured,
  },
  {
    name: 'delaunay',
    args: [arg('n', 0), SEED],
    doc: 'adjacency of the Delaunay triangulation of n random points',
    instance: (n, seed) => `delaunay_${n}_${seed}`,
    generate: delaunay,
  },
  {
    name: 'geometric',
    args: [arg('n', 0), arg('degree', 0), SEED],
    doc: 'adjacency of n random points of a square, joined where they are near: `degree` neighbours',
    instance: (n, degree, seed) => `rgg_${n}_${degree}_${seed}`,
    generate: geometric,
  },
];

/** The family called `name`; FamilyError naming them all when there is none. */
function findFamily(name: string): Family {
  const word = name.toLowerCase();
  const family = FAMILIES.find((candidate) => candidate.name === word || candidate.alias === word);
  if (family !== undefined) return family;
  throw new FamilyError(`generate: expected one of ${FAMILIES.map((f) => f.name).join(', ')}, got '${name}'`);
}

/** The arguments of `family`, checked and completed by defaults; words as typed on a command line, or numbers. */
function familyArguments(family: Family, words: readonly (string | number)[]): number[] {
  const required = family.args.filter((argument) => argument.default === undefined).length;
  if (words.length < required || words.length > family.args.length) {
    throw new FamilyError(`${family.name}: expected ${usage(family)}, got ${words.length} arguments`);
  }
  return family.args.map((argument, index) => {
    const word = words[index] ?? argument.default!;
    const value = /^\d+$/.test(String(word)) ? Number(word) : Number.NaN;
    if (!(value >= argument.min && value < 2 ** 31))
      throw new FamilyError(`${family.name}: expected ${argument.name} in ${argument.min}…2^31-1, got '${word}'`);
    if (argument === PRIME && !isPrime(value))
      throw new FamilyError(`${family.name}: expected a prime p, got ${value}`);
    return value;
  });
}

/** The arguments' names, those that may be left out in brackets. */
export function usage(family: Family): string {
  return family.args.map(({ name, default: preset }) => (preset === undefined ? name : `[${name}]`)).join(' ');
}

/** The matrix of family `name` with these arguments. */
export function generate(name: string, words: readonly (string | number)[]): Triplets {
  const family = findFamily(name);
  return family.generate(...familyArguments(family, words));
}
