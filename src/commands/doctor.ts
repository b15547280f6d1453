/**
 * `wiedemann doctor`: what this machine gives the program, measured, and what is missing, with how to get it.
 *
 * Required is a right rank on the CPU: without it the exit code is that of a missing device. A GPU is not, nor is the
 * compiler of storage jit.
 */
import { createRequire } from 'node:module';
import { canShareMemory, cores } from '#platform';
import { generate } from '../../data/families.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { heapBytes, hostBytes } from '../../kernels/platform/host-memory.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Engine } from '../engine/engine.js';
import { interruptible } from './answering.js';
import type { Options } from './arguments.js';
import { writeOut } from './standard-output.js';

const P = 65521;

/** Pairs against triples of 24 points: the rank mod a large prime is the number of pairs. */
const [KNOWN, KNOWN_RANK] = [['24', '3'], 276] as const;

/** Large enough for threads to pay, small enough for a second. */
const TIMED = ['20000', '20000', '20', `${P}`, '1'];
const BUDGET = 0.4;

/** A module with one vector instruction: what validates it runs the kernels. */
const SIMD = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

interface Finding {
  readonly value: unknown; // of --json
  readonly words: string;
  readonly advice?: string; // what would give more
  readonly isBroken?: boolean; // where it is required
}

export async function run(options: Options): Promise<void> {
  const findings = await interruptible(options, (engine) => examine(engine));
  const broken = Object.entries(findings).filter(([, { isBroken }]) => isBroken);
  if (options['json']) {
    const values = Object.fromEntries(Object.entries(findings).map(([name, { value }]) => [name, value]));
    const advice = Object.values(findings).flatMap((finding) => finding.advice ?? []);
    await writeOut(`${JSON.stringify({ schema: 1, command: 'doctor', ok: broken.length === 0, ...values, advice })}\n`);
  } else await writeOut(tableOf(findings));
  if (broken.length > 0) throw new DeviceError(`doctor: ${broken.map(([, { words }]) => words).join('; ')}`);
}

async function examine(engine: Engine): Promise<Record<string, Finding>> {
  const threads = cores();
  const hasWebAssembly = typeof WebAssembly === 'object';
  const simd = hasWebAssembly && WebAssembly.validate(SIMD);
  const [memory, heap] = [hostBytes(), heapBytes()];
  return {
    runtime: told(process.versions['bun'] ? `Bun ${process.versions['bun']}` : `Node ${process.versions.node}`),
    threads: {
      value: threads,
      words: `${threads}`,
      ...(!canShareMemory() && { advice: 'threads: this runtime shares no memory, so that one is used' }),
    },
    webassembly: hasWebAssembly
      ? { value: true, words: 'yes' }
      : {
          ...{ value: false, words: 'no WebAssembly, as under node --jitless', isBroken: true },
          advice: 'webassembly: Node without --jitless has it; --device reference needs none',
        },
    simd: { value: simd, words: simd ? 'yes' : 'no vectors in WebAssembly: the kernels cannot run', isBroken: !simd },
    isolation: { value: null, words: 'not asked for outside a page' },
    memory: {
      value: { host: memory, heap },
      words: `${megabytes(memory)} MB, of which V8 takes ${megabytes(heap)} MB for integers beyond 32 bits`,
    },
    ...(simd && {
      rank: await rankOn(engine),
      products: await productsOn(engine),
      gpu: await gpuOf(engine),
    }),
    jit: jitOf(),
  };
}

const told = (words: string): Finding => ({ value: words, words });

function matrixOf(family: string, words: readonly string[]): SparseMatrix {
  const { rows, cols, ...entries } = generate(family, words);
  return SparseMatrix.fromTriplets(rows, cols, entries);
}

async function rankOn(engine: Engine): Promise<Finding> {
  const found = await engine.rank(matrixOf('bibd', KNOWN), { mod: P, device: 'cpu', method: 'wiedemann' }).then(
    ({ value }) => value,
    (error: Error) => error.message,
  );
  if (found === KNOWN_RANK) return { value: true, words: 'right, on the CPU' };
  return {
    value: false,
    words: `expected rank ${KNOWN_RANK} of a known matrix on the CPU, got ${found}`,
    isBroken: true,
  };
}

/** The fastest product of a random matrix. */
async function productsOn(engine: Engine): Promise<Finding> {
  const tuned = await engine.tune(matrixOf('random', TIMED), { mod: P, device: 'cpu', budget: BUDGET, tuning: false });
  const rates = tuned.products.map(({ seconds, width }) => (tuned.residues * width) / seconds);
  const best = Math.max(...rates);
  const { storage, width, threads } = tuned.products[rates.indexOf(best)]!;
  const words = `${(best / 1e9).toFixed(2)} billion multiplications a second (${storage}, ${width} columns, ${threads} of the threads)`;
  return { value: { perSecond: Math.round(best), storage, width, threads }, words };
}

async function gpuOf(engine: Engine): Promise<Finding> {
  try {
    const { adapter } = await engine.rank(matrixOf('bibd', KNOWN), { mod: P, device: 'gpu', method: 'wiedemann' });
    const software = /\(software\)$/.test(adapter ?? '');
    return {
      value: { adapter, software },
      words: `${adapter}`,
      ...(software && {
        advice: 'gpu: this one is software, for tests; a driver of Vulkan, Metal or D3D12 gives a real one',
      }),
    };
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    return {
      value: null,
      words: 'none',
      advice: `${error.message.replace(/^device /, '')} (npm install webgpu@0.6, and a driver of Vulkan, Metal or D3D12)`,
    };
  }
}

function jitOf(): Finding {
  try {
    createRequire(import.meta.url).resolve('binaryen');
    return { value: true, words: 'yes' };
  } catch {
    return { value: false, words: 'no', advice: '--storage jit: npm install binaryen enables it' };
  }
}

function tableOf(findings: Readonly<Record<string, Finding>>): string {
  const width = Math.max(...Object.keys(findings).map((name) => name.length));
  const lines = Object.entries(findings).map(([name, { words }]) => `${name.padEnd(width)}   ${words}`);
  const advice = Object.values(findings).flatMap((finding) => (finding.advice ? [`  ${finding.advice}`] : []));
  return `${[...lines, ...(advice.length > 0 ? ['', 'more is to be had:', ...advice] : [])].join('\n')}\n`;
}
