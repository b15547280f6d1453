/**
 * A rank by block Wiedemann, planned: time by phase, memory, disk and network for a number of devices, from the rates
 * of a machine.
 *
 *   1 device     one process, with the blocks that a run of its own chooses
 *   D devices    a kept run in D parts (stages.ts): a process makes the columns of its part, then one the generator,
 *                then one the verification; the others wait or serve somebody else
 *
 * Volumes are those of the formats: codes are words of 4 bytes, an entry of the matrix on its way is taken for 8.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { type BlockShape, chooseBlocks, chooseGpuBlocks, fitBlocks } from '../block-wiedemann/block-shape.js';
import { numbersAnElement, workingDegree } from '../block-wiedemann/extension-degree.js';
import { shapeOfParts } from '../block-wiedemann/stages.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import { matrixBytes, partBytes, wiedemannBytes } from '../methods/memory-estimate.js';
import { phaseSeconds, sumOfPhases } from '../methods/phases.js';
import { basisSecondsOf } from './basis-seconds.js';
import type { DevicePlan } from './device-plan.js';
import type { Estimated } from './estimated.js';
import type { MachineRates, Size } from './machine-rates.js';
import type { PlannedShape } from './rates-within.js';
import { runLengths } from './run-lengths.js';
import { stepNumbers } from './step-seconds.js';

const WORD = 4;
const ENTRY = 8;

/** Of a device, and of a block, where others than those of a run are tried. */
const COLUMNS = [1, 2, 4, 8, 16, 32];
const MOST_COLUMNS = 512;

/**
 * Order bases in the folder of a kept run at once: two and the next, which is written beside them; and of two looks
 * behind the last, each over a sixteenth of the way, the residual and what its halves have, three times its words
 * (look.ts).
 */
const BASES = 3 + (2 * 3) / 16;

/** Seconds of a search, the default interval, from which on its order basis is kept (kept-basis.ts). */
const KEPT_BASIS = 60;

/** Processes one after another that read and set up for themselves, where a run is in parts. */
const STAGES = 3;

/** The shape asked for, or else a run's own on one device, or that of a part on each of several. */
export function plannedShape(
  field: WordPrime,
  { rows, cols, nnz }: Size,
  devices: number,
  bindingBytes: number | null,
  block: BlockShape | null,
): PlannedShape {
  if (block !== null) return { ...block, columns: Math.ceil(block.n / devices) };
  if (devices === 1) {
    const wide = bindingBytes === null ? undefined : chooseGpuBlocks(rows, cols, nnz, field, bindingBytes);
    const shape = wide ?? chooseBlocks(cols, numbersAnElement(field.p, 'block'));
    return { ...shape, columns: shape.n };
  }
  const shape: BlockShape = fitBlocks(shapeOfParts(cols, devices), cols);
  return { ...shape, columns: Math.ceil(shape.n / devices) };
}

/** `size` is tall; `reading`: seconds to read the matrix, 0 where they are not known. */
export function planOnDevices(
  field: WordPrime,
  rates: MachineRates,
  size: Size,
  rank: number,
  devices: number,
  reading: number,
  block: BlockShape | null = null,
): DevicePlan {
  const { columns, ...shape } = plannedShape(field, size, devices, rates.bindingBytes, block);
  const { m, n } = shape;
  const N = size.cols;
  const inParts = devices > 1;
  const log2q = workingDegree(field.p, 'block') * Math.log2(field.p);
  const s = verificationWidth(log2q);
  const lengths = runLengths(N, rank, shape, s, log2q, inParts);
  const step = stepNumbers(rates, size, columns);
  const basis = basisSecondsOf(rates, N, shape, s, log2q, lengths);
  const stages = inParts ? STAGES : 1;
  const setup = reading + rates.start + step.value.setup;
  const seconds = phaseSeconds(
    { steps: lengths.blocks, verifying: lengths.verifying },
    {
      setup: stages * setup,
      step: step.value.step,
      verifying: step.value.verifying,
      basis: basis.value.basis + basis.value.checking,
      combining: lengths.verifying === 0 ? 0 : basis.value.combining,
    },
  );
  const total = sumOfPhases(seconds);
  const sequence = WORD * (m + s) * n * lengths.blocks;
  const vectors = WORD * N * n;
  const checks = devices * WORD * N * s;
  const relations = WORD * s * (m + s) * lengths.verifying;
  const bases = seconds.sigmaBasis < KEPT_BASIS ? 0 : BASES * WORD * (m + n + s) * (n + s) * lengths.blocks;
  const read = matrixBytes({ ...size, wide: { bytes: 0 } });
  const made = { m, columns, blocks: lengths.blocks };
  return {
    ...{ devices, block: [m, n], blocks: lengths.blocks, seconds: { ...seconds, total } },
    stages: inParts
      ? {
          part: setup + seconds.sequence,
          generator: setup + seconds.sigmaBasis,
          verify: setup + seconds.verification,
        }
      : null,
    deviceHours: (total + (devices - 1) * (setup + seconds.sequence)) / 3600,
    bytes: {
      host: read + wiedemannBytes(field, size.rows, N, size.nnz, { block: shape }),
      part: inParts ? read + partBytes(field, size.rows, N, size.nnz, made) : null,
      gpu: rates.device === 'gpu' ? step.value.gpuBytes : null,
      disk: sequence + 2 * vectors + checks + bases + relations,
      network: inParts ? ENTRY * size.nnz * (devices + 2) + 2 * (sequence + relations) + 2 * vectors + checks : 0,
    },
    grounds: [groundOf('steps', step), groundOf('order basis', basis)],
  };
}

/** Fewer or more columns a device, where that should take a quarter less than what runs choose; null for none. */
export function quickerPlan(
  field: WordPrime,
  rates: MachineRates,
  size: Size,
  rank: number,
  plan: DevicePlan,
  reading: number,
): DevicePlan | null {
  const { devices } = plan;
  const others = COLUMNS.map((columns) => columns * devices)
    .filter((n) => n <= Math.min(MOST_COLUMNS, size.cols / 2))
    .map((n) => planOnDevices(field, rates, size, rank, devices, reading, { m: 2 * n, n }));
  const best = others.reduce((least, each) => (each.seconds.total < least.seconds.total ? each : least), plan);
  return best.seconds.total < 0.75 * plan.seconds.total ? best : null;
}

function groundOf(what: string, { origin, nearest }: Pick<Estimated<unknown>, 'origin' | 'nearest'>): string {
  if (origin === 'measured') return `${what}: measured at this size`;
  if (origin === 'between') return `${what}: between sizes that were measured`;
  return `${what}: carried on from ${nearest}`;
}
