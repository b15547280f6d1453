/**
 * The kernel that reads plain lines of coordinate files (kernels/sparse/scan-triples.as.ts), on a memory of its own.
 */
import { isAddressSpaceScarce } from '#platform';
import { HostError } from '../errors/host-error.js';
import { KERNEL_NAMES } from '../generated/kernel-names.js';
import { setArguments } from '../threads/argument-list.js';
import { KernelMemory } from '../threads/memory.js';
import { compileKernels, instantiateKernels, type Kernel } from '../threads/wasm-module.js';
import * as L from './scan-triples-layout.js';

/** The bounds of a plain line: indices from 1 to rows and cols, a least row − column, a value or none. */
export interface PlainLines {
  readonly rows: number;
  readonly cols: number;
  readonly valued: boolean;
  readonly below: number; // least row − column: 0 for a lower triangle, −Infinity for all of the matrix
}

/** Entries of plain lines, 0-based: views that the next lines overwrite. */
export interface Triples {
  readonly end: number; // the first byte that was not read, of the loaded ones
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
}

/** Bytes at a time: they and their entries stay in the second cache. */
const PIECE = 2 ** 17;
/** `1 1` and its end. */
const SHORTEST_LINE = 4;
/** A piece, its entries and the kernels' own take 0.6 MB. */
const PAGES = 16;
const LF = 10;
/** No bound of row − column: both are 1 or more and of nine digits. */
const UNBOUNDED = -(2 ** 30);

let made: Promise<TripleKernel> | undefined;

export class TripleKernel {
  readonly #memory: KernelMemory;
  readonly #kernel: Kernel;
  readonly #arguments: number;
  readonly #text: number;
  readonly #entries: number;
  #loaded = 0; // bytes of the piece

  private constructor(memory: KernelMemory, kernel: Kernel) {
    this.#memory = memory;
    this.#kernel = kernel;
    this.#arguments = memory.alloc(L.BYTES);
    this.#text = memory.alloc(PIECE);
    this.#entries = memory.alloc((12 * PIECE) / SHORTEST_LINE);
  }

  /**
   * The kernel of this thread: all readers share it, as none keeps data in it while it waits. HostError where the host
   * has no WebAssembly, or address space for the solver's kernels alone.
   */
  static get(): Promise<TripleKernel> {
    made ??= (async () => {
      if (isAddressSpaceScarce()) throw new HostError('no address space for a kernel that reads');
      const module = await compileKernels();
      const memory = new KernelMemory(PAGES);
      const { kernels } = await instantiateKernels(module, memory.memory);
      return new TripleKernel(memory, kernels[KERNEL_NAMES.indexOf('scanTriples')]!);
    })();
    // A later call may find memory that is missing now.
    made.catch(() => {
      made = undefined;
    });
    return made;
  }

  /** Bytes that there is room for. */
  get room(): number {
    return PIECE;
  }

  /**
   * Takes the whole lines that bytes[from, to) begins with, as many as it has room for; returns how many bytes they
   * are.
   */
  load(bytes: Uint8Array, from: number, to: number): number {
    const end = to - from <= PIECE ? to : bytes.lastIndexOf(LF, from + PIECE - 1) + 1;
    this.#loaded = Math.max(0, end - from);
    this.#memory.u8(this.#text, this.#loaded).set(bytes.subarray(from, from + this.#loaded));
    return this.#loaded;
  }

  /** The plain lines from byte `from` of the loaded ones on, up to the first other one, `most` at most. */
  read(from: number, lines: PlainLines, most: number): Triples {
    const room = Math.min(most, PIECE / SHORTEST_LINE);
    const memory = this.#memory;
    const text = this.#text;
    const words = memory.i32(this.#arguments, L.BYTES / 4);
    const { rows, cols, valued } = lines;
    const below = Math.max(lines.below, UNBOUNDED);
    // biome-ignore format: a line a group of words
    setArguments(
      words, [L.FIRST, text + from], [L.END, text + this.#loaded], [L.TO, this.#entries], [L.ROOM, room],
      [L.ROWS, rows], [L.COLS, cols], [L.VALUED, Number(valued)], [L.BELOW, below],
    );
    this.#kernel(0, 1, this.#arguments);
    const list = (k: number): number => this.#entries + 4 * k * room;
    const count = words[L.COUNT >> 2];
    return {
      end: words[L.STOPPED >> 2] - text,
      rowIdx: memory.u32(list(0), count),
      colIdx: memory.u32(list(1), count),
      values: memory.i32(list(2), count),
    };
  }
}
