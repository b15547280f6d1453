/**
 * Makes a rank certificate: two maps P and Q with P·A·Q nonsingular, and the answers to the challenges that follow.
 *
 *   A : m × n over F_p, rank r      M = P·A·Q, r × r      M·x_j = b_j      M·y_j = P·A·w_j, which says A·Q·y_j = A·w_j
 *
 * The second holds because im A·Q, of dimension r, is all of im A, on which P is injective. P and Q keep structural pivots
 * as they are and compress the other lines, so that the systems shrink to the Schur complement (pivoted.ts); what is left
 * is one block Wiedemann run for all 2·count right sides.
 */
import { deriveSeed } from '../../fields/random.js';
import type { Operator } from '../../kernels/executor.js';
import { compressed, merged, type ResidueMatrix, transposed } from '../../kernels/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { structuralPivots } from '../elimination/structural-pivots.js';
import { solveNonsingular, solveSeed } from '../solve/nonsingular.js';
import { challenge, challengeCount, commitmentDigest, matrixDigest } from './challenges.js';
import { Compression } from './compressed-operator.js';
import { type LineMap, lineMap } from './compression.js';
import type { Commitment, RankCertificate } from './format.js';
import { canSubstitute, type Pivoted, solvePivoted } from './pivoted.js';

/** No maps were found for which the systems could be solved: the rank may be lower than was said. */
export class ProofError extends Error {
  override name = 'ProofError';
}

/**
 * A random r × r matrix is nonsingular with probability Π (1 − p^-i), 0.29 for p = 2 and 0.99 for p = 101; the maps are
 * about as good as that.
 */
function attemptsFor(p: number): number {
  return p < 16 ? 24 : 6;
}

/** Places of a line: an odd number for p = 2, where the places of an even number, all with coefficient 1, add up to 0. */
function layersFor(p: number, attempt: number): number {
  const more = Math.min(4, Math.floor(attempt / 3));
  return p === 2 ? 3 + 2 * more : 2 + more;
}

export interface ProofOptions {
  /** Whether to keep structural pivots; default true, where the executor has a substitution. */
  readonly pivots?: boolean;
  /** What is claimed; default 'both'. */
  readonly bounds?: 'both' | 'lower';
}

/** A certificate that rank A = r; verify.ts refuses it if that is not so, and ProofError is thrown if A has less. */
export async function proveRank(
  context: RunContext,
  a: ResidueMatrix,
  r: number,
  { pivots = true, bounds = 'both' }: ProofOptions = {},
): Promise<RankCertificate> {
  const { p } = context.executor.field;
  const matrix = matrixDigest(a, p);
  const found = pivots && canSubstitute(context.executor) ? pivotsOf(a) : null;
  const pivoted = found !== null && found.matching.size <= r ? found : null;
  const operator = context.executor.operator(a);
  try {
    const attempts = attemptsFor(p);
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const commitment: Commitment = {
        ...{ rows: a.rows, cols: a.cols, p, matrix, rank: r },
        pivotRows: pivoted?.pivots.rows ?? new Uint32Array(0),
        pivotCols: pivoted?.pivots.cols ?? new Uint32Array(0),
        layers: layersFor(p, attempt),
        seed: deriveSeed(context.seed, 'certificate', attempt) & 0xffffffffffffffffn,
      };
      const answers = await answer(context, operator, pivoted, commitment, bounds, solveSeed(context.seed, attempt));
      if (answers !== null) return { ...commitment, ...answers };
    }
    throw new ProofError(`certificate: no ${r} x ${r} nonsingular compression was found in ${attempts} attempts`);
  } finally {
    operator.free?.();
  }
}

async function answer(
  context: RunContext,
  a: Operator,
  pivoted: Pivoted | null,
  c: Commitment,
  bounds: 'both' | 'lower',
  seed: bigint,
): Promise<Pick<RankCertificate, 'lower' | 'upper'> | null> {
  const map = (which: 'rows' | 'cols', lines: number): Operator =>
    context.executor.operator(residues(lineMap(c, which), c.rank, lines, c.p));
  const [rowMap, colMap] = [map('rows', c.rows), map('cols', c.cols)];
  const m = new Compression(context.executor, rowMap, a, colMap);
  try {
    const digest = commitmentDigest(c);
    const count = challengeCount(c.p);
    const full = c.rank === Math.min(c.rows, c.cols);
    const b = Array.from({ length: count }, (_, j) => challenge(digest, 'lower', j, c.rank, c.p));
    const upper = bounds === 'both' && !full;
    if (upper) {
      for (let j = 0; j < count; j++) b.push(await m.image(challenge(digest, 'upper', j, c.cols, c.p)));
    }
    const { executor } = context;
    const solutions =
      pivoted && canSubstitute(executor)
        ? await solvePivoted({ ...context, executor }, pivoted, c, b, seed)
        : await solveNonsingular(context, m, b, seed);
    if (solutions === null) return null;
    return { lower: solutions.slice(0, count), upper: upper || full ? solutions.slice(count) : null };
  } finally {
    m.free();
    rowMap.free?.();
    colMap.free?.();
  }
}

function pivotsOf(a: ResidueMatrix): Pivoted {
  const at = transposed(a) as ResidueMatrix;
  return { a, at, ...structuralPivots(a, at) };
}

/** The map as an r × lines matrix. */
function residues({ place, line, factor }: LineMap, r: number, lines: number, p: number): ResidueMatrix {
  return merged(compressed(r, lines, place, line, factor), p);
}
