/**
 * A matrix tuned: the products that block Wiedemann makes of it, timed on the devices of a question.
 *
 *   A : rows × cols over F_p, or its transpose, whichever has no fewer rows      X : cols × n
 *
 * Storages and widths come first, on all threads; then the storage that is chosen at block Wiedemann's own width, on
 * fewer threads.
 */
import { chooseBlocks } from '../../algorithms/block-wiedemann/block-shape.js';
import { numbersAnElement } from '../../algorithms/block-wiedemann/extension-degree.js';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { overBlockField } from '../../algorithms/block-wiedemann/working-field.js';
import { costs } from '../../algorithms/methods/costs.js';
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
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
import type { Hardware } from './found.js';
import { keepChoice, tuningKey } from './tuned-choices.js';

/** Of the estimated run of block Wiedemann, and its limits in seconds. */
const BUDGET = { share: 0.02, least: 0.2, most: 10 };

/** The share of it for storages and widths; the rest is for threads. */
const STORAGES = 0.75;

const WIDTHS = { cpu: [1, 8, 16, 32], gpu: [1, 8, 16, 32, 64] };

/** Does `work` on the executor that the settings ask for. */
type RunOn = <T>(settings: Settings, work: (context: RunContext, hardware: Hardware) => Promise<T>) => Promise<T>;

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
  const width = k * chooseBlocks(tall.cols, k).n; // of block Wiedemann
  const run = costs(WordPrime.of(p), tall.rows, tall.cols, residues, 1).wiedemann;
  const budget = settings.budget ?? Math.min(BUDGET.most, Math.max(BUDGET.least, BUDGET.share * run));

  const first = await runOn(settings, (context, hardware) => {
    const isAlone = hardware.device === 'gpu' || hardware.threads === 1;
    const widths = [...new Set([...WIDTHS[hardware.device === 'gpu' ? 'gpu' : 'cpu'], width])];
    const onFormat = (done: number, total: number): void => caller.progress({ phase: 'storages', done, total });
    return timeProducts(context, hardware, tall, { widths, budget: isAlone ? budget : STORAGES * budget, onFormat });
  });
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
  const warnings = settings.tuning ? await keepChoice(caller, key, { storage, threads, products }) : [];
  return {
    ...{ rows: matrix.rows, cols: matrix.cols, nnz: matrix.nnz, mod: settings.mod },
    ...{ transposed, residues, device, adapter, threads: most, budget, products },
    options: { device, storage, ...(device === 'cpu' ? { threads } : {}) },
    ...{ warnings, seconds: { tuning: (performance.now() - start) / 1000 } },
  };
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
