/** The kernel that reads plain lines of coordinate files (kernels/wasm/triples.ts), on a memory of its own. */
import { KernelMemory } from './memory.js';
import { compileKernels, instantiateKernels, type Kernel, kernelNames } from './wasm-module.js';

/** What makes a line plain: indices from 1 to rows and cols, a value or none, and off the diagonal unless that is allowed. */
export interface PlainLines {
  readonly rows: number;
  readonly cols: number;
  readonly valued: boolean;
  readonly diagonal: boolean;
}

/** Entries of plain lines, 0-based: views that the next lines overwrite. */
export interface Triples {
  readonly end: number; // the first byte that was not read
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
}

/** Bytes at a time: they and their entries stay in the second cache. */
const PIECE = 2 ** 17;
/** `1 1` and its end. */
const SHORTEST_LINE = 4;
const LF = 10;
const [STOPPED, COUNT, WORDS] = [8, 9, 10];

export class TripleKernel {
  readonly #memory: KernelMemory;
  readonly #kernel: Kernel;
  readonly #arguments: number;
  readonly #text: number;
  readonly #entries: number;

  private constructor(memory: KernelMemory, kernel: Kernel) {
    this.#memory = memory;
    this.#kernel = kernel;
    this.#arguments = memory.alloc(4 * WORDS);
    this.#text = memory.alloc(PIECE);
    this.#entries = memory.alloc((12 * PIECE) / SHORTEST_LINE);
  }

  static async create(): Promise<TripleKernel> {
    const module = await compileKernels();
    const memory = new KernelMemory();
    const { kernels } = await instantiateKernels(module, memory.memory);
    return new TripleKernel(memory, kernels[kernelNames(module).indexOf('triples')]!);
  }

  /**
   * The plain lines that bytes[from, to) begin with, `most` at most, and no more than a piece of them; the last byte is '\n'.
   * `end` is `from` where the first line is not plain, or longer than a piece.
   */
  read(bytes: Uint8Array, from: number, to: number, lines: PlainLines, most: number): Triples {
    const piece = to - from <= PIECE ? to : bytes.lastIndexOf(LF, from + PIECE - 1) + 1;
    const length = Math.max(0, piece - from);
    const room = Math.min(most, PIECE / SHORTEST_LINE);
    const memory = this.#memory;
    memory.u8(this.#text, length).set(bytes.subarray(from, from + length));
    const words = memory.u32(this.#arguments, WORDS);
    const { rows, cols, valued, diagonal } = lines;
    words.set([this.#text, this.#text + length, this.#entries, room, rows, cols, Number(valued), Number(diagonal)]);
    this.#kernel(0, 1, this.#arguments);
    const list = (k: number): number => this.#entries + 4 * k * room;
    return {
      end: from + words[STOPPED] - this.#text,
      rowIdx: memory.u32(list(0), words[COUNT]),
      colIdx: memory.u32(list(1), words[COUNT]),
      values: memory.i32(list(2), words[COUNT]),
    };
  }
}
