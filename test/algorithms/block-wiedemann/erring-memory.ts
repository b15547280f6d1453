/**
 * Memory of a device that errs once: one bit of a vector, of blocks that are to be read, or of an order basis changes
 * between two calls of the kernels, whatever the word is then, a residue or none.
 */
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { type CpuBlocks, cpuVector } from '../../../kernels/blocks/cpu-vector.js';
import { type GpuBlocks, gpuVector } from '../../../kernels/blocks/gpu-vector.js';
import type { Awaitable, BlockVector, Executor, SmallBlocks } from '../../../kernels/executor.js';
import type { GpuBuffer, GpuDevice } from '../../../kernels/gpu/device.js';
import type { PolyMatrix } from '../../../kernels/poly/poly-matrix.js';
import type { KernelMemory } from '../../../kernels/threads/memory.js';
import type { Team } from '../../../kernels/threads/team.js';
import { callByCall } from './call-by-call.js';
import type { Counts, Flip } from './erring-executor.js';

/** Bytes that the device has, and the change of a bit of one of them. */
interface Place {
  readonly bytes: number;
  change(byte: number, bit: number): Awaitable<void>;
}

/** Where the device has what it works with. */
interface Places {
  vector(v: BlockVector): Place;
  blocks(out: SmallBlocks, first: number, count: number): Place;
}

/** Of kernels on threads. */
export function placesInMemory(memory: KernelMemory, { extension, field }: Executor): Places {
  const size = extension ? 1 : field.isU16 ? 2 : 4;
  const place = (at: number, bytes: number): Place => ({
    bytes,
    change: (byte, bit) => flipByte(memory, at + byte, bit),
  });
  return {
    vector: (v) => place(cpuVector(v).at, size * v.length * v.width),
    blocks: (out, first, count) => place((out as CpuBlocks).blockAt(first), 4 * count * out.rows * out.cols),
  };
}

function flipByte(memory: KernelMemory, at: number, bit: number): void {
  memory.u8(at, 1)[0]! ^= 1 << bit;
}

/** Of a GPU, whose blocks are what they are once they have been read. */
export function placesInBuffers(gpu: GpuDevice, executor: Executor): Places {
  const read = executor.readBlocks.bind(executor);
  const place = (buffer: GpuBuffer, at: number, bytes: number): Place => ({
    bytes,
    change: async (byte, bit) => {
      const first = at + (byte & ~3);
      const [word] = await gpu.read(buffer, first, 4);
      gpu.write(buffer, Uint32Array.of(word! ^ (1 << (8 * (byte & 3) + bit))), first);
    },
  });
  return {
    vector: (v) => place(gpuVector(v).buffer, 0, gpuVector(v).bytes),
    blocks: (out, first, count) => {
      const bytes = 4 * out.rows * out.cols;
      const own = place((out as GpuBlocks).buffer, first * bytes, count * bytes);
      const change = async (byte: number, bit: number): Promise<void> => {
        await read(out, first, count);
        await own.change(byte, bit);
      };
      return { ...own, change };
    },
  };
}

/** Bytes of a coefficient of four columns of a polynomial matrix. */
const VECTOR = 16;

export class ErringMemory {
  readonly counts: Counts = { vectors: 0, blocks: 0, basis: 0 };
  private readonly flip: Flip | null;

  constructor(flip: Flip | null) {
    this.flip = flip;
  }

  /** What was written, or is to be read, and may change now. */
  private passes(what: Flip['what'], { bytes, change }: Place): Awaitable<void> {
    const { flip } = this;
    if (this.counts[what]++ !== flip?.at || flip.what !== what || bytes === 0) return;
    return change(flip.word % bytes, Math.floor(flip.word / bytes) % 8);
  }

  /** The executor, whose calls come one by one, so that a word changes between two of them. */
  watch<E extends Executor>(executor: E, placesOf: (executor: Executor) => Places): E {
    const { compile, readBlocks, over } = executor;
    const places = placesOf(executor);
    const watched: Pick<Executor, 'compile' | 'readBlocks' | 'over'> = {
      compile: (step) =>
        callByCall(
          step,
          (own) => compile.call(executor, own),
          (v) => this.passes('vectors', places.vector(v)),
        ),
      readBlocks: (out, first, count) => {
        const changed = this.passes('blocks', places.blocks(out, first, count));
        const read = () => readBlocks.call(executor, out, first, count);
        return changed instanceof Promise ? changed.then(read) : read();
      },
    };
    if (over === undefined) return Object.assign(executor, watched);
    const watchedOver: Executor['over'] = (extension) => {
      const elements = over.call(executor, extension);
      return elements && this.watch(elements, placesOf);
    };
    return Object.assign(executor, watched, { over: watchedOver });
  }

  /** The threads' own engine, whose bases change when they are made. */
  engine(executor: Executor, team: Team, field: BasisField) {
    const engine = orderBasisEngines(executor, team).orderBasisEngine(field);
    const { sigmaBasis, compose } = engine;
    const spoil = <M>(basis: M): M => {
      const { at, stride, length, rows, cols } = basis as M & PolyMatrix;
      const own = VECTOR * length; // of a row's group of four columns: others begin further on
      void this.passes('basis', {
        bytes: own * rows * Math.ceil(cols / 4),
        change: (byte, bit) => flipByte(team.memory, at + VECTOR * stride * Math.floor(byte / own) + (byte % own), bit),
      });
      return basis;
    };
    engine.sigmaBasis = (...all) => spoil(sigmaBasis.apply(engine, all));
    engine.compose = (...all) => spoil(compose.apply(engine, all));
    return engine;
  }
}
