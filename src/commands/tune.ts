/**
 * `wiedemann tune [FILE|-] -p P`: the products of block Wiedemann, measured on this matrix and this device: sparse
 * formats and widths first, on all threads, then the fastest of them on fewer threads.
 */
import { cores } from '#platform';
import { costs } from '../../algorithms/methods/costs.js';
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { type TunedProduct, tuneProducts } from '../../algorithms/tuning/products.js';
import { WordPrime } from '../../fields/word-prime.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { Executor } from '../../kernels/executor.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { readMatrix } from '../io/read-matrix.js';
import { settings } from '../questions/settings.js';
import { fileAndModulus, type Options, readingOptions, standardInput } from './arguments.js';
import { writeOut } from './standard-output.js';
import { UsageError } from './usage-error.js';

/** Of the estimated run of block Wiedemann, and its limits in seconds. */
const BUDGET = { share: 0.02, least: 0.2, most: 10 };

const WIDTHS = { cpu: [1, 8, 16, 32], gpu: [1, 8, 16, 32, 64] };

interface Line extends TunedProduct {
  readonly threads: number;
}

export async function run(words: readonly string[], options: Options): Promise<void> {
  const { file, mod } = fileAndModulus(words, options);
  if (mod === undefined) throw new UsageError('expected a prime modulus: -p P');
  const threads = count('--threads', options['threads'] as string | undefined) ?? cores();
  const { mod: p } = settings('rank', { mod, threads });
  if (p === 0n || p > BigInt(MAX_SIZE)) throw new UsageError(`tune: expected a prime below 2^31, got ${p}`);
  const device = options['device'];
  if (device !== 'cpu' && device !== 'gpu') throw new UsageError(`--device: expected cpu or gpu, got ${device}`);
  const given = secondsOf(options['budget'] as string | undefined);
  const name = file ?? '<stdin>';
  const matrix = await readMatrix(file ?? standardInput(), { name, ...readingOptions(options) });
  const residues = dropEmptyLines(withoutIdleLines(matrix).residues(Number(p)));
  const field = WordPrime.of(Number(p));
  const { rows, cols, rowPtr } = residues;
  if (rowPtr[rows] === 0) throw new UsageError('tune: expected a matrix with entries mod p');
  const run = costs(field, rows, cols, rowPtr[rows]!, 1).wiedemann;
  const budget = given ?? Math.min(BUDGET.most, Math.max(BUDGET.least, BUDGET.share * run));
  const tuned = await (device === 'gpu' ? tuneGpu(field, residues, budget) : tuneCpu(field, residues, budget, threads));
  await writeOut(options['json'] ? json(p, budget, tuned) : text(tuned, rowPtr[rows]!));
}

interface Tuned {
  readonly device: string;
  readonly lines: readonly Line[];
}

async function tuneGpu(field: WordPrime, residues: ResidueMatrix, budget: number): Promise<Tuned> {
  const { GpuExecutor } = await import('../../kernels/executors/gpu.js');
  return using(await GpuExecutor.create(field), async (executor) => {
    const found = await tuneProducts(executor, residues, { widths: WIDTHS.gpu, budget, now });
    return { device: executor.device, lines: found.map((line) => ({ ...line, threads: executor.threads })) };
  });
}

/** Three quarters of the budget for formats and widths, the rest for threads. */
async function tuneCpu(field: WordPrime, residues: ResidueMatrix, budget: number, threads: number): Promise<Tuned> {
  const { CpuExecutor } = await import('../../kernels/executors/cpu.js');
  const fewer = powersBelow(threads);
  const first = await using(await CpuExecutor.create(field, { threads }), async (executor) => {
    const share = fewer.length === 0 ? 1 : 0.75;
    const found = await tuneProducts(executor, residues, { widths: WIDTHS.cpu, budget: share * budget, now });
    return { device: executor.device, lines: found.map((line) => ({ ...line, threads })) };
  });
  const { storage, width } = first.lines[0]!;
  const others: Line[] = [];
  for (const n of fewer) {
    const tuning = { widths: [width], storages: [storage], budget: budget / 4 / fewer.length, now };
    const found = await using(await CpuExecutor.create(field, { threads: n }), (executor) =>
      tuneProducts(executor, residues, tuning),
    );
    others.push(...found.map((line) => ({ ...line, threads: n })));
  }
  return { device: first.device, lines: [...first.lines, ...others] };
}

async function using<T>(executor: Executor, work: (executor: Executor) => Promise<T>): Promise<T> {
  try {
    return await work(executor);
  } finally {
    executor.dispose();
  }
}

function powersBelow(threads: number): number[] {
  const out: number[] = [];
  for (let n = 1; n < threads; n *= 2) out.push(n);
  return out;
}

function now(): number {
  return performance.now() / 1000;
}

function count(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`${name}: expected a number, got ${text}`);
  return Number(text);
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) === 0)
    throw new UsageError(`--budget: expected seconds, got ${text}`);
  return Number(text);
}

function json(p: bigint, budget: number, { device, lines }: Tuned): string {
  const products = lines.map((line) => ({ ...line, seconds: Number.isFinite(line.seconds) ? line.seconds : null }));
  return `${JSON.stringify({ schema: 1, command: 'tune', mod: `${p}`, device, budget, products })}\n`;
}

function text({ device, lines }: Tuned, nnz: number): string {
  const rows = lines.map(({ storage, width, threads, seconds, repeats }) => [
    storage,
    `${width}`,
    `${threads}`,
    Number.isFinite(seconds) ? (seconds * 1e6).toFixed(1) : '-',
    Number.isFinite(seconds) ? ((2e-9 * nnz * width) / seconds).toFixed(2) : '-',
    `${repeats}`,
  ]);
  const table = [['storage', 'width', 'threads', 'µs', 'Gop/s', 'repeats'], ...rows];
  const widths = table[0]!.map((_, c) => Math.max(...table.map((row) => row[c]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!))).join('   ');
  return `${[device, ...table.map(line)].join('\n')}\n`;
}
