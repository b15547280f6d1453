/**
 * A matrix tuned: the products that block Wiedemann makes of it, timed on the devices of a question.
 *
 *   A : rows × cols over F_p, or its transpose, whichever has no fewer rows      X : cols × n
 *
 * Storages compete first, on all threads, at the width of the usual blocks; what the best of them takes by width speaks
 * for a block shape. Then come the sizes of the storage that is chosen at the width of that shape, and it with these on
 * fewer threads. Where a rank is expected to be so short that its share is too little for this, nothing is timed and no
 * choice is kept.
 */
import type { BlockShape } from '../../algorithms/block-wiedemann/block-shape.js';
import { numbersAnElement } from '../../algorithms/block-wiedemann/extension-degree.js';
import { fitsDevice, usualBlocks } from '../../algorithms/block-wiedemann/rank.js';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { overBlockField } from '../../algorithms/block-wiedemann/working-field.js';
import { estimatesOver, runSeconds } from '../../algorithms/methods/costs.js';
import { expectedSeconds } from '../../algorithms/methods/expected-seconds.js';
import { gpuRunSeconds } from '../../algorithms/methods/gpu-costs.js';
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { presolve } from '../../algorithms/presolve/presolve.js';
import { chooseShape, type TunedShape, timeShapes } from '../../algorithms/tuning/block-shapes.js';
import { type Candidate, chooseStorage, chooseThreads, type TunedLine } from '../../algorithms/tuning/choice.js';
import type { Untried } from '../../algorithms/tuning/formats.js';
import { KnownProduct } from '../../algorithms/tuning/known-product.js';
import { type TuningOptions, tuneProducts } from '../../algorithms/tuning/products.js';
import { type SizeTuning, type TunedSizes, tuneSizes } from '../../algorithms/tuning/size-search.js';
import { degreesOf } from '../../algorithms/tuning/sizes.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import { describeSizes } from '../../kernels/sparse/formats/product-sizes.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { TunedData } from '../questions/tuned.js';
import type { Caller } from './caller.js';
import type { Hardware, RunOn } from './found.js';
import { keepChoice, tuningKey } from './tuned-choices.js';

/** Of the run that `rank` is expected to make, and its limits in seconds: below the least one nothing is timed. */
const BUDGET = { share: 0.02, least: 0.2, most: 10 };

/** The shares of it for storages with widths, sizes and threads; without other threads the last one is the others'. */
const SHARES = { storages: 0.5, sizes: 0.3, threads: 0.2 };
const ALONE = { storages: 0.6, sizes: 0.4 };

const WIDTHS = { cpu: [8, 16, 32, 1], gpu: [8, 16, 32, 64, 1] };

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
  if (residues === 0) throw new StructureError('tune: expected a matrix with entries mod p, got none');
  const transposed = given.rows < given.cols;
  const tall = transposed ? transpose(given) : given;
  const k = numbersAnElement(p, 'block');

  const first = await runOn(settings, async (context, hardware) => {
    const expected = settings.budget === null ? expectRun(context, given, settings) : null;
    const budget = settings.budget ?? Math.min(BUDGET.most, BUDGET.share * (expected as number));
    const usual = usualBlocks(context, tall);
    const none = { hardware, expected, usual, budget: 0, lines: [], untried: [], shapes: [], sized: null };
    if (settings.budget === null && budget < BUDGET.least) return none;
    const shares = hardware.device === 'gpu' || hardware.threads === 1 ? ALONE : SHARES;
    const known = await KnownProduct.of(context.executor, tall);
    const width = k * usual.n;
    const otherWidths = WIDTHS[hardware.device === 'gpu' ? 'gpu' : 'cpu'].filter((each) => each !== width);
    const onFormat = (done: number, total: number): void => caller.progress({ phase: 'storages', done, total });
    const tuning = { width, otherWidths, known, budget: shares.storages * budget, onFormat };
    const timed = await timeProducts(context, hardware, tall, tuning);
    const shapes = k === 1 && tall.cols >= CHOICE ? shapesOn(context, tall, usual, timed) : [];
    const block = chooseShape(shapes);
    const best = { storage: chooseStorage(timed.lines, k * (block ?? usual).n), width: k * (block ?? usual).n };
    const onDegree = (done: number, total: number): void => caller.progress({ phase: 'sizes', done, total });
    const sizing = { ...best, known, budget: shares.sizes * budget, onDegree };
    const { sizes, lines } = await timeSizes(context, hardware, tall, sizing);
    const sized = { ...best, block, known, sizes };
    return { ...timed, lines: [...timed.lines, ...lines], expected, usual, budget, shapes, sized };
  });
  const { expected, budget, untried } = first;
  const { adapter, threads: most } = first.hardware;
  const device: 'cpu' | 'gpu' = first.hardware.device === 'gpu' ? 'gpu' : 'cpu';
  const said = {
    ...{ rows: matrix.rows, cols: matrix.cols, nnz: matrix.nnz, mod: settings.mod },
    ...{ transposed, residues, device, adapter, threads: most, expected, budget, untried },
  };
  if (first.sized === null) {
    const options = { device, storage: 'auto' } as const;
    const nothing = { ...said, products: [], options, sizes: {}, runs: [], block: sizesOf(first.usual), warnings: [] };
    return { ...nothing, seconds: { estimate: (performance.now() - start) / 1000 } };
  }
  const { block, width, storage, known, sizes } = first.sized;
  const chosen = nameOf({ storage, width, sizes });
  const fewer = device === 'gpu' ? [] : powersBelow(most);
  const onThreads = async (threads: number): Promise<readonly TunedLine[]> => {
    const order = { storages: [storage], leftOut: [] };
    const own = describeSizes(sizes).length > 0 ? sizes : undefined;
    const tuning = { width, order, known, sizes: own, budget: (SHARES.threads * budget) / (fewer.length + 1) };
    const asked: Settings = { ...settings, device: 'cpu', threads };
    return (await runOn(asked, (...on) => timeProducts(...on, tall, tuning))).lines;
  };
  const others: TunedLine[] = [];
  for (const [done, threads] of fewer.entries()) {
    caller.progress({ phase: 'threads', done, total: fewer.length });
    others.push(...(await onThreads(threads)));
  }
  const isSame = (line: TunedLine): boolean => nameOf(line) === chosen;
  const same = first.lines.filter(isSame);
  // All threads once more where fewer would take their place: what slowed them may be over.
  const again = chooseThreads([...same, ...others]) < most ? await onThreads(most) : [];
  const all = [...same, ...again];
  const products = [...first.lines.map((line) => (isSame(line) ? together(all) : line)), ...others];
  const threads = chooseThreads([...all, ...others]);
  const key = tuningKey({ device, adapter }, settings, given);
  const warnings = settings.tuning
    ? await keepChoice(caller, key, { storage, sizes, threads, products, ...(block && { block: sizesOf(block) }) })
    : [];
  return {
    ...{ ...said, products },
    options: { device, storage, ...(device === 'cpu' ? { threads } : {}) },
    sizes,
    runs: first.shapes.map(({ block, seconds }) => ({ block: sizesOf(block), seconds })),
    block: sizesOf(block ?? first.usual),
    ...{ warnings, seconds: { tuning: (performance.now() - start) / 1000 } },
  };
}

/** Seconds that `rank` should take by itself. */
function expectRun(context: RunContext, matrix: ResidueMatrix, { maxMemory }: Settings): number {
  const { field } = context.executor;
  const presolved = presolve(field, matrix, estimatesOver(field), { seed: context.seed });
  return expectedSeconds(context, presolved, { maxBytes: maxMemory ?? undefined });
}

/** What tells the lines of different products apart. */
function nameOf({ storage, width, sizes = {} }: Candidate): string {
  return [storage, width, ...describeSizes(sizes)].join();
}

/** One line of several of the same product. */
function together(lines: readonly TunedLine[]): TunedLine {
  const seconds = Math.min(...lines.map((line) => line.seconds));
  return { ...lines[0]!, seconds, repeats: lines.reduce((sum, { repeats }) => sum + repeats, 0) };
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
  { lines, hardware }: Pick<TimedProducts, 'lines' | 'hardware'>,
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
  readonly untried: readonly Untried[];
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
  await context.team?.waitForThreads();
  return overBlockField(context, async ({ executor }) => {
    const { products, untried } = await tuneProducts(executor, matrix, { ...options, now });
    return { lines: products.map((line) => ({ ...line, threads })), untried, hardware };
  });
}

async function timeSizes(
  context: RunContext,
  { threads }: Hardware,
  matrix: ResidueMatrix,
  options: Omit<SizeTuning, 'now' | 'degrees'>,
): Promise<Pick<TunedSizes, 'sizes'> & Pick<TimedProducts, 'lines'>> {
  const now = (): number => performance.now() / 1000;
  return overBlockField(context, async ({ executor }) => {
    const degrees = degreesOf(matrix, executor, options.storage, options.width);
    const { sizes, products } = await tuneSizes(executor, matrix, { ...options, degrees, now });
    return { sizes, lines: products.map((line) => ({ ...line, threads })) };
  });
}

function powersBelow(threads: number): number[] {
  const out: number[] = [];
  for (let n = 1; n < threads; n *= 2) out.push(n);
  return out;
}
