/**
 * The products Y = A·X of a matrix on a device, by format and width, from the fastest to the slowest.
 *
 *   A : rows × cols over F_p      X : cols × n, whose columns repeat a few      width n
 *
 * Every candidate's product is compared with the reference's before it is timed; one that differs is an error. The
 * score is the time a column.
 */
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { BlockVector, Executor, Operator, OperatorOptions } from '../../kernels/executor.js';
import { ReferenceExecutor } from '../../kernels/executors/reference.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { promisingFormats, type Storage } from './formats.js';
import { halve, type Timed } from './halving.js';

export interface Candidate {
  readonly storage: Storage;
  readonly width: number;
}

export interface TunedProduct extends Candidate {
  readonly seconds: number; // of a product; Infinity where the budget has ended before
  readonly repeats: number;
}

export interface TuningOptions {
  readonly widths: readonly number[];
  readonly budget: number; // seconds
  readonly now: () => number; // seconds
  readonly storages?: readonly Storage[];
  /** Called before each format is made. */
  readonly onFormat?: (done: number, total: number) => void;
}

/** Columns of X that differ. */
const COLUMNS = 4;

/** A measurement repeats its product until it takes about so many seconds. */
const LEAST_SECONDS = 0.002;

/** The share of the budget in which formats are made; those that come later are left out. */
const MAKING = 0.5;

interface Ready extends Candidate {
  readonly operator: Operator;
  readonly x: BlockVector;
  readonly y: BlockVector;
  readonly products: number; // in a measurement
}

export async function tuneProducts(
  executor: Executor,
  matrix: ResidueMatrix,
  { widths, budget, now, storages = promisingFormats(matrix), onFormat }: TuningOptions,
): Promise<TunedProduct[]> {
  const expected = await multiplyByReference(executor, matrix);
  const fence = executor.blocks(1, 1, 1);
  const vectors = widths.map((width) => {
    const x = executor.vector(matrix.cols, width);
    executor.write(x, blockOf(inputOf(matrix.cols, executor.field.p), matrix.cols, width));
    return { width, x, y: executor.vector(matrix.rows, width) };
  });
  const start = now();
  const seconds = async (operator: Operator, { x, y }: Pick<Ready, 'x' | 'y'>, products: number): Promise<number> => {
    const before = now();
    for (let k = 0; k < products; k++) await operator.apply(y, x);
    await executor.readBlocks(fence, 0, 1); // the device has done what was asked for
    return (now() - before) / products;
  };
  const operators: Operator[] = [];
  const ready: Ready[] = [];
  try {
    for (const [done, storage] of storages.entries()) {
      onFormat?.(done, storages.length);
      if (operators.length > 0 && now() - start > MAKING * budget) break;
      const options = storage === 'auto' ? {} : { storage };
      const operator = makeOperator(executor, matrix, { use: 'apply', ...options });
      if (operator === null) continue;
      operators.push(operator);
      for (const { width, x, y } of vectors) {
        executor.fill(y, 1); // whatever stood there before is no product
        await operator.apply(y, x);
        checkProduct({ storage, width }, await executor.read(y), expected);
        const products = Math.max(1, Math.ceil(LEAST_SECONDS / (await seconds(operator, { x, y }, 1))));
        ready.push({ storage, width, operator, x, y, products: Math.min(products, 1000) });
      }
    }
    const measure = async (c: Ready): Promise<number> => (await seconds(c.operator, c, c.products)) / c.width;
    return (await halve(ready, { measure, now, end: now() + (1 - MAKING) * budget })).map(productOf);
  } finally {
    for (const operator of operators) operator.free?.();
    for (const { x, y } of vectors) for (const v of [x, y]) executor.release(v);
    executor.releaseBlocks(fence);
  }
}

/** null where the format does not fit beside those that are there. */
function makeOperator(executor: Executor, matrix: ResidueMatrix, options: OperatorOptions): Operator | null {
  try {
    return executor.operator(matrix, options);
  } catch (error) {
    if (options.storage !== undefined && error instanceof MemoryError) return null;
    throw error;
  }
}

function productOf({ candidate: { storage, width }, seconds, repeats }: Timed<Ready>): TunedProduct {
  return { storage, width, seconds: seconds * width, repeats };
}

/** COLUMNS columns of residues without a pattern that a format could share. */
function inputOf(length: number, p: number): Uint32Array {
  return Uint32Array.from({ length: length * COLUMNS }, (_, k) => (Math.imul(k + 1, 0x9e3779b1) >>> 0) % p);
}

/** The columns repeated to a width. */
function blockOf(columns: Uint32Array, length: number, width: number): Uint32Array {
  const block = new Uint32Array(length * width);
  for (let k = 0; k < block.length; k++)
    block[k] = columns[Math.floor(k / width) * COLUMNS + ((k % width) % COLUMNS)] as number;
  return block;
}

async function multiplyByReference({ field }: Executor, matrix: ResidueMatrix): Promise<Uint32Array> {
  const reference = new ReferenceExecutor(field);
  const [x, y] = [reference.vector(matrix.cols, COLUMNS), reference.vector(matrix.rows, COLUMNS)];
  reference.write(x, inputOf(matrix.cols, field.p));
  await reference.operator(matrix, { use: 'apply' }).apply(y, x);
  return reference.read(y);
}

function checkProduct({ storage, width }: Candidate, y: Uint32Array, expected: Uint32Array): void {
  const wanted = blockOf(expected, expected.length / COLUMNS, width);
  const at = wanted.findIndex((v, k) => v !== y[k]);
  if (at < 0) return;
  const row = Math.floor(at / width);
  throw new Error(
    `tune: the product of storage ${storage} with ${width} columns is wrong: expected ${wanted[at]} in row ${row}, got ${y[at]}`,
  );
}
