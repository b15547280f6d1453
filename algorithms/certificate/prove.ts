/**
 * Makes a rank certificate: two maps P and Q with P·A·Q nonsingular, and the answers to the challenges that follow.
 *
 *   A : m' × n' over F_p, rank r, without zero rows and columns (nonzero-part.ts)
 *   M = P·A·Q, r × r      M·x_j = b_j      M·y_j = P·A·w_j, which says A·Q·y_j = A·w_j
 *
 * The second holds because im A·Q, of dimension r, is all of im A, on which P is injective. P and Q keep structural
 * pivots as they are and compress the other lines, so that the systems shrink to the Schur complement (pivoted.ts).
 * Where that is quickly eliminated P and Q keep its pivots too, and so r rows and columns of A; else one run of block
 * Wiedemann solves the rest for all 2·count right sides.
 */
import { deriveSeed } from '../../fields/random.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import type { Operator } from '../../kernels/executor.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import { numbersAnElement } from '../block-wiedemann/extension-degree.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { type Entries, sparseFactor } from '../block-wiedemann/sparse-factor.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import { type DenseSystem, denseSystem } from '../elimination/dense-system.js';
import { costs } from '../methods/costs.js';
import { structuralPivots } from '../presolve/structural-pivots.js';
import { columnsVector, solveNonsingular, solveSeed, vectorColumns } from '../solve/nonsingular.js';
import { certificateField } from './certificate-field.js';
import { challenge, challengeCount, commitmentDigest } from './challenges.js';
import { Compression } from './compressed-operator.js';
import { lineMap } from './compression.js';
import type { Commitment, RankCertificate } from './format.js';
import { matrixDigest } from './matrix-digest.js';
import type { NonzeroPart } from './nonzero-part.js';
import { canSubstitute, type Pivoted, solvePivoted } from './pivoted.js';
import { compressingBytes, ownBytes } from './proof-memory.js';

/** No maps were found for which the systems could be solved: the rank may be lower than was said. */
export class ProofError extends Error {
  override name = 'ProofError';
}

/**
 * A compression over GF(q), q ≥ 2^10, is nonsingular with probability about 1 − 2/q; the places of lines may be unlucky
 * too.
 */
const ATTEMPTS = 6;

/** Seconds that elimination may take longer than block Wiedemann, whose maps have all lines to hash and to multiply. */
const COMPRESSING = 0.25;

export interface ProofOptions {
  /** Whether to keep structural pivots; default true, where the executor has a substitution. */
  readonly pivots?: boolean;
  /** Bytes that it may take beside the matrix. */
  readonly maxBytes?: number | undefined;
  /** The claim; default 'both'. */
  readonly bounds?: 'both' | 'lower';
}

/** A certificate that rank A = r; verify.ts refuses it if that is not so, and ProofError is thrown if A has less. */
export async function proveRank(
  context: RunContext,
  part: NonzeroPart,
  r: number,
  { pivots = true, bounds = 'both', maxBytes = Number.POSITIVE_INFINITY }: ProofOptions = {},
): Promise<RankCertificate> {
  const { p } = context.executor.field;
  const { inner: a } = part;
  const own = ownBytes(context.executor.field, a, { r, bounds });
  const matrix = matrixDigest(part, p);
  const found = pivots && canSubstitute(context.executor) ? pivotsOf(a) : null;
  const pivoted = found !== null && found.pivots.rows.length <= r ? found : null;
  const dense = pivoted && (await eliminateRest(context, pivoted, r, maxBytes - own));
  const N = dense === null ? r - (pivoted?.pivots.rows.length ?? 0) : 0;
  checkMemory(own + compressingBytes(context.executor.field, a, N, bounds), maxBytes);
  const [pivotRows, pivotCols] = pivoted ? listKept(pivoted, dense) : [new Uint32Array(0), new Uint32Array(0)];
  const operator = context.executor.operator(a, { storage: context.storage });
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const commitment: Commitment = {
        ...{ rows: part.rows, cols: part.cols, p, matrix, rank: r },
        ...{ pivotRows, pivotCols },
        layers: 2 + Math.floor(attempt / 3),
        seed: deriveSeed(context.seed, 'certificate', attempt) & 0xffffffffffffffffn,
      };
      const answers = await answer(context, operator, { pivoted, dense }, commitment, bounds, attempt);
      if (answers !== null) return { ...commitment, ...answers };
    }
    throw new ProofError(`certificate: no ${r} x ${r} nonsingular compression was found in ${ATTEMPTS} attempts`);
  } finally {
    operator.free?.();
  }
}

function checkMemory(need: number, maxBytes: number): void {
  if (need <= maxBytes) return;
  const [takes, allowed] = [need, maxBytes].map(megabytes);
  throw new ProofError(`certificate: making it takes about ${takes} MB, allowed are ${allowed}`);
}

/** The part of the Schur complement that makes the rank r, where elimination is the quicker way to it. */
async function eliminateRest(
  context: RunContext,
  { a, at, pivots }: Pivoted,
  r: number,
  maxBytes: number,
): Promise<DenseSystem | null> {
  const { executor, team, check } = context;
  const { field } = executor;
  const size = pivots.rows.length;
  const k = numbersAnElement(field.p, 'column');
  const { elimination, wiedemann } = costs(field, a.rows - size, a.cols - size, a.colIdx.length, k);
  if (!team || elimination > wiedemann + COMPRESSING) return null;
  const dense = await denseSystem(team, field, a, at, pivots, check, maxBytes);
  const rank = dense && size + dense.rows.length;
  if (rank !== null && rank < r) throw new ProofError(`certificate: elimination finds rank ${rank}, not ${r}`);
  return rank === r ? dense : null;
}

/** The rows and columns of A that P and Q keep. */
function listKept({ a, pivots }: Pivoted, dense: DenseSystem | null): [Uint32Array, Uint32Array] {
  if (dense === null) return [pivots.rows, pivots.cols];
  const all = (size: number, taken: Uint32Array, others: Uint32Array): Uint32Array => {
    const isTaken = new Uint8Array(size);
    for (const line of taken) isTaken[line] = 1;
    const free = Uint32Array.from(isTaken.keys()).filter((line) => isTaken[line] === 0);
    const both = new Uint32Array(taken.length + others.length);
    both.set(taken);
    both.set(
      others.map((line) => free[line]),
      taken.length,
    );
    return both;
  };
  return [all(a.rows, pivots.rows, dense.rows), all(a.cols, pivots.cols, dense.cols)];
}

async function answer(
  context: RunContext,
  a: Operator,
  { pivoted, dense }: { readonly pivoted: Pivoted | null; readonly dense: DenseSystem | null },
  c: Commitment,
  bounds: 'both' | 'lower',
  attempt: number,
): Promise<Pick<RankCertificate, 'lower' | 'upper'> | null> {
  const { executor } = context;
  const seed = solveSeed(context.seed, attempt);
  const { q } = certificateField(c.p);
  const working = new WorkingField(executor, 'column');
  if (working.q !== q)
    throw new RangeError(`certificate: expected GF(${q}), block Wiedemann works in GF(${working.q})`);
  const free: (() => void)[] = [];
  try {
    const [rowMap, colMap] = (['rows', 'cols'] as const).map((which) => {
      const made = sparseFactor(executor, entriesOf(c, which, which === 'rows' ? a.rows : a.cols), working);
      free.push(() => made.free());
      return made;
    });
    const m = new Compression(executor, rowMap, a, colMap, c.rank);
    free.push(() => m.free());
    const digest = commitmentDigest(c);
    const count = challengeCount(q);
    const full = c.rank === Math.min(a.rows, a.cols);
    const upper = bounds === 'both' && !full;
    const draw = (bound: 'lower' | 'upper', length: number): Uint32Array[] =>
      Array.from({ length: count }, (_, j) => challenge(digest, bound, j, length, q));
    const b = draw('lower', c.rank);
    if (upper) {
      const w = columnsVector(executor, working, draw('upper', a.cols), a.cols);
      free.push(() => executor.release(w));
      const image = executor.vector(c.rank, w.width);
      free.push(() => executor.release(image));
      await m.image(image, w);
      b.push(...vectorColumns(working, await executor.read(image), count));
    }
    const solutions =
      pivoted && canSubstitute(executor)
        ? await solvePivoted({ ...context, executor }, pivoted, c, b, seed, dense)
        : await solveNonsingular(context, m, b, seed);
    if (solutions === null) return null;
    return { lower: solutions.slice(0, count), upper: upper || full ? solutions.slice(count) : null };
  } finally {
    for (const release of free.reverse()) release();
  }
}

/** The map as a matrix, r × (lines of A). */
function entriesOf(c: Commitment, which: 'rows' | 'cols', size: number): Entries {
  const { place, line, factor } = lineMap(c, which, size);
  return { rows: c.rank, cols: size, row: place, col: line, code: factor };
}

function pivotsOf(a: ResidueMatrix): Pivoted {
  const at = transpose(a) as ResidueMatrix;
  return { a, at, ...structuralPivots(a, at) };
}
