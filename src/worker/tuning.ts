/**
 * A matrix tuned: the products that block Wiedemann makes of it, timed on the devices of a question.
 *
 *   A : rows × cols over F_p, or its transpose, whichever has no fewer rows      X : cols × n
 *
 * Storages and widths come first, on all threads; what they take speaks for a block shape, whose width is block
 * Wiedemann's own. Then the storage that is chosen at that width, on fewer threads.
 */
import type { BlockShape } from '../../algorithms/block-wiedemann/block-shape.js';
import { numbersAnElement } from '../../algorithms/block-wiedemann/extension-degree.js';
import { fitsDevice, usualBlocks } from '../../algorithms/block-wiedemann/rank.js';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { overBlockField } from '../../algorithms/block-wiedemann/working-field.js';
import { costs, runSeconds } from '../../algorithms/methods/costs.js';
import { gpuRunSeconds } from '../../algorithms/methods/gpu-costs.js';
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { chooseShape, type TunedShape, timeShapes } from '../../algorithms/tuning/block-shapes.js';
import { chooseStorage, chooseThreads, type TunedLine } from '../../algorithms/tuning/choice.js';
import { type TuningOptions, tuneProducts } from '../../algorithms/tuning/products.js';
import { WordPrime } from '../../fields/word-prime.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { TunedData } from '../questions/tuned.js';
import type { Caller } from './caller.js';
import type { Hardware, RunOn } from './found.js';
import { keepChoice, tuningKey } from './tuned-choices.js';

/** Of the estimated run of block Wiedemann, and its limits in seconds. */
const BUDGET = { share: 0.02, least: 0.2, most: 10 };

/** The share of it for storages and widths; the rest is for threads. */
const STORAGES = 0.75;

const WIDTHS = { cpu: [1, 8, 16, 32], gpu: [1, 8, 16, 32, 64] };

export async function tuneMatrix(
  matrix: SparseMatrix,
  settings: Settings,
  caller: Caller,
  runOn: RunOn,
): Promise<TunedData> {
  const start = performance.now();
  const p = Number(settings.mod);
  const given = dropEmptyLines(withoutIdleLines(matrix).residues(p));
  const residues = given.colIdx.length;
  if (residues === 0) throw new StructureError('tune: expected a matrix with entries mod p');
  const transposed = given.rows < given.cols;
  const tall = transposed ? transpose(given) : given;
  const k = numbersAnElement(p, 'block');
  const run = costs(WordPrime.of(p), tall.rows, tall.cols, residues, 1).wiedemann;
  const budget = settings.budget ?? Math.min(BUDGET.most, Math.max(BUDGET.least, BUDGET.share * run));

  const first = await runOn(settings, async (context, hardware) => {
    const isAlone = hardware.device === 'gpu' || hardware.threads === 1;
    const usual = usualBlocks(context, tall);
    const widths = [...new Set([...WIDTHS[hardware.device === 'gpu' ? 'gpu' : 'cpu'], k * usual.n])];
    const onFormat = (done: number, total: number): void => caller.progress({ phase: 'storages', done, total });
    const tuning = { widths, budget: isAlone ? budget : STORAGES * budget, onFormat };
    const timed = await timeProducts(context, hardware, tall, tuning);
    return { ...timed, usual, shapes: k === 1 && tall.cols >= CHOICE ? shapesOn(context, tall, usual, timed) : [] };
  });
  const block = chooseShape(first.shapes);
  const width = k * (block ?? first.usual).n;
  const { adapter, threads: most } = first.hardware;
  const device = first.hardware.device === 'gpu' ? 'gpu' : 'cpu';
  const storage = chooseStorage(first.lines, width);
  const others: TunedLine[] = [];
  const fewer = device === 'gpu' ? [] : powersBelow(most);
  for (const [done, threads] of fewer.entries()) {
    caller.progress({ phase: 'threads', done, total: fewer.length });
    const tuning = { widths: [width], storages: [storage], budget: ((1 - STORAGES) * budget) / fewer.length };
    const own: Settings = { ...settings, device: 'cpu', threads };
    others.push(...(await runOn(own, (...on) => timeProducts(...on, tall, tuning))).lines);
  }
  const same = first.lines.filter((line) => line.storage === storage && line.width === width);
  const threads = chooseThreads([...same, ...others]);
  const products = [...first.lines, ...others];
  const key = tuningKey({ device, adapter }, settings, given);
  const warnings = settings.tuning
    ? await keepChoice(caller, key, { storage, threads, products, ...(block && { block: sizesOf(block) }) })
    : [];
  return {
    ...{ rows: matrix.rows, cols: matrix.cols, nnz: matrix.nnz, mod: settings.mod },
    ...{ transposed, residues, device, adapter, threads: most, budget, products },
    options: { device, storage, ...(device === 'cpu' ? { threads } : {}) },
    runs: first.shapes.map(({ block, seconds }) => ({ block: sizesOf(block), seconds })),
    block: sizesOf(block ?? first.usual),
    ...{ warnings, seconds: { tuning: (performance.now() - start) / 1000 } },
  };
}

/** Unknowns from which on a block shape is a choice. */
const CHOICE = 600;

function sizesOf({ m, n }: BlockShape): readonly [m: number, n: number] {
  return [m, n];
}

/** What runs should take by shape. */
function shapesOn(
  context: RunContext,
  tall: ResidueMatrix,
  usual: BlockShape,
  { lines, hardware }: TimedProducts,
): TunedShape[] {
  const [field, L, N] = [context.executor.field, tall.rows, tall.cols];
  const secondsOf =
    hardware.device === 'gpu'
      ? gpuRunSeconds.bind(null, field, L, N)
      : runSeconds.bind(null, field, L, N, hardware.threads);
  return timeShapes(lines, usual, secondsOf, (shape) => fitsDevice(context, tall, shape));
}

interface TimedProducts {
  readonly lines: readonly TunedLine[];
  readonly hardware: Hardware;
}

/** Over an extension where block Wiedemann is: vectors of F_p are codes of it, and so are their products. */
async function timeProducts(
  context: RunContext,
  hardware: Hardware,
  matrix: ResidueMatrix,
  options: Omit<TuningOptions, 'now'>,
): Promise<TimedProducts> {
  const { threads } = hardware;
  const now = (): number => performance.now() / 1000;
  return overBlockField(context, async ({ executor }) => {
    const found = await tuneProducts(executor, matrix, { ...options, now });
    return { lines: found.map((line) => ({ ...line, threads })), hardware };
  });
}

function powersBelow(threads: number): number[] {
  const out: number[] = [];
  for (let n = 1; n < threads; n *= 2) out.push(n);
  return out;
}
