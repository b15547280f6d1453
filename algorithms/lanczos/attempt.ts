/**
 * One attempt of block Lanczos at systems and at the kernel of A, in GF(q), q = p^k: what it gives is to be checked.
 *
 *   A : M × N over F_p     Y : N × s random, over GF(q)     R = T − A·Y     B·Z = Eᵀ·Aᵀ·D·R     X = Y + E·Z
 *
 * If the run is complete, Aᵀ·D·(T − A·X) = 0. Where A·X = T for some X it follows that A·X = T; where not, the columns
 * of U = D·(T − A·X) have Uᵀ·A = 0 and, as uᵀ·t = (t − A·x)ᵀ·D·(t − A·x), mostly uᵀ·t ≠ 0: they refute the system. For
 * T = 0, X is the projection of Y to the kernel along the column space of E·B: uniform in the kernel, as Y is in
 * everything. Without Y, that is with 0, X is in that column space.
 * A is over F_p, and coordinate 0 of T alone is not zero: coordinate 0 of X solves over F_p, the others are in the
 * kernel, and so are all of them for T = 0; every coordinate of U is in the left kernel.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { writeRandom } from '../block-wiedemann/random-vectors.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';
import { blockLanczos, type LanczosRun } from './block-lanczos.js';
import { FieldSpace } from './field-space.js';
import type { LoopKeeper } from './kept-loop.js';
import { NormalOperator } from './normal-operator.js';
import { type KernelTiming, StepClock } from './step-clock.js';

/** Right sides that one run solves for, and kernel vectors that one run makes. */
export const TOGETHER = 16;

export interface Attempt extends LanczosRun {
  /** X as columns of residues: coordinate c of column j is number c·s + j. */
  readonly x: Uint32Array[];
  /** U likewise. */
  u(): Promise<Uint32Array[]>;
  free(): void;
}

/** Columns of a block of V: enough that one narrowed step is no end, and vectors of 8 words where elements are many. */
export function lanczosWidth(N: number, { k }: WorkingField): number {
  if (k > 1) return Math.max(2, Math.ceil(8 / k));
  return N < 600 ? 4 : 8;
}

/** `columns`: those of T over F_p; s columns of zeros where it is a number. `random`: whether to draw Y. */
export async function attemptLanczos(
  executor: Executor,
  a: Operator,
  working: WorkingField,
  columns: readonly Uint32Array[] | number,
  random: boolean,
  seed: bigint,
  onStep: (dimension: number) => void,
  keeper?: LoopKeeper,
  timing?: KernelTiming | null,
): Promise<Attempt> {
  const { k } = working;
  const s = typeof columns === 'number' ? columns : columns.length;
  const n = lanczosWidth(a.cols, working);
  const b = new NormalOperator(executor, a, working, seed);
  const space = new FieldSpace(executor, b, working, n, s);
  const owned: BlockVector[] = [];
  const vector = (length: number, width: number): BlockVector => {
    const v = executor.vector(length, k * width);
    owned.push(v);
    return v;
  };
  const free = (): void => {
    for (const v of owned) executor.release(v);
    space.free();
    b.free();
  };
  try {
    const [x, r, y] = [vector(a.cols, s), vector(a.rows, s), vector(a.cols, n)];
    const [z, c] = [vector(a.cols, s), vector(a.cols, s)];
    if (typeof columns !== 'number') writeColumns(executor, r, columns);
    if (random) {
      writeRandom(executor, x, s, working, deriveSeed(seed, 'lanczos X'));
      // R ← T − A·Y
      await a.apply(r, x, executor.field.p - 1, 1);
    }
    await b.adjoint(c, r);
    writeRandom(executor, y, n, working, deriveSeed(seed, 'lanczos Y'));
    // V_0 ← B·Y
    const last = vector(1, 1);
    const clock = timing ? new StepClock(() => executor.read(last)) : undefined;
    const run = await blockLanczos(space, (v) => b.apply(v, y), c, z, onStep, keeper, clock);
    if (clock)
      timing?.tell(clock.lines({ rows: a.rows, cols: a.cols, nnz: timing.nnz, ...bytesOf(executor, k, n, s) }));
    // X ← Y + E·Z
    await b.e.apply(c, z);
    executor.blockAxpy(x, c, working.blockFactors(identity(s, working.elements.one), s, s));
    const u = async (): Promise<Uint32Array[]> => {
      // U ← D·(R − A·E·Z)
      await a.apply(r, c, executor.field.p - 1, 1);
      const weighted = vector(a.rows, s);
      await b.d.apply(weighted, r);
      return columnsOf(await executor.read(weighted), k * s);
    };
    return { ...run, x: columnsOf(await executor.read(x), k * s), u, free };
  } catch (error) {
    free();
    throw error;
  }
}

/** Of an entry, and of rows of V and of Z. */
function bytesOf({ field }: Executor, k: number, n: number, s: number) {
  const word = field.isU16 ? 2 : 4;
  return { entryBytes: 4 + word, wideBytes: k * n * word, narrowBytes: k * s * word };
}

/** v ← these columns of residues, as coordinate 0. */
function writeColumns(executor: Executor, v: BlockVector, columns: readonly Uint32Array[]): void {
  const data = new Uint32Array(v.length * v.width);
  columns.forEach((column, j) => {
    for (let i = 0; i < v.length; i++) data[i * v.width + j] = column[i];
  });
  executor.write(v, data);
}

function columnsOf(rows: Uint32Array, width: number): Uint32Array[] {
  const length = width === 0 ? 0 : rows.length / width;
  return Array.from({ length: width }, (_, j) => Uint32Array.from({ length }, (_, i) => rows[i * width + j]));
}

function identity(n: number, one: number): Uint32Array {
  const out = new Uint32Array(n * n);
  for (let j = 0; j < n; j++) out[j * n + j] = one;
  return out;
}
