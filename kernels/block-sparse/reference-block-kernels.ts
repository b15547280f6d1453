/** The kernels on a batch by their slow twin (reference.ts), problem by problem. */
import type { WordPrime } from '../../fields/word-prime.js';
import type { BlockBatch, BlockKernels, ProductOptions, TallBlock } from './block-batch.js';
import { checkBatch, checkWidth } from './block-batch.js';
import { BlockPattern } from './block-pattern.js';
import * as twin from './reference.js';

class HostTall implements TallBlock {
  readonly width: number;
  readonly words: Uint32Array;

  constructor(width: number, words: Uint32Array) {
    [this.width, this.words] = [width, words];
  }
}

export class ReferenceBlockKernels implements BlockKernels {
  readonly #field: WordPrime;
  readonly #b: number;
  readonly #starts: Uint32Array;
  readonly #problems: readonly twin.BlockMatrix[];
  #factors: readonly twin.BlockFactors[] = [];

  constructor(field: WordPrime, batch: BlockBatch) {
    checkBatch(batch);
    [this.#field, this.#b, this.#starts] = [field, batch.b, batch.starts];
    this.#problems = Array.from({ length: batch.starts.length - 1 }, (_, k) => problemOf(batch, k));
  }

  tall(width: number, data?: Uint32Array): TallBlock {
    checkWidth(width);
    return new HostTall(width, data?.slice() ?? new Uint32Array(this.#starts.at(-1)! * this.#b * width));
  }

  async read(x: TallBlock): Promise<Uint32Array> {
    return wordsOf(x).slice();
  }

  release(): void {}

  addTallProduct(y: TallBlock, x: TallBlock, m: Uint32Array, sign: twin.Sign): void {
    const [w, size] = [x.width, x.width * x.width];
    this.#each((k, part) => {
      twin.addTallProduct(this.#field, w, part(y), part(x), m.subarray(k * size, (k + 1) * size), sign);
    });
  }

  async dotTall(x: TallBlock, z: TallBlock): Promise<Uint32Array> {
    const size = x.width * x.width;
    const out = new Uint32Array(this.#problems.length * size);
    this.#each((k, part) => out.set(twin.dotTall(this.#field, x.width, part(x), part(z)), k * size));
    return out;
  }

  addBlockProduct(y: TallBlock, x: TallBlock, options: ProductOptions): void {
    this.#each((k, part) => twin.addBlockProduct(this.#field, this.#problems[k]!, x.width, part(y), part(x), options));
  }

  async factor(): Promise<Int32Array> {
    this.#factors = this.#problems.map((problem) => twin.factorOnPattern(this.#field, problem));
    return Int32Array.from(this.#factors, ({ singular }) => singular);
  }

  substitute(x: TallBlock): void {
    this.#each((k, part) => {
      const factors = this.#factors[k]!;
      if (factors.singular >= 0) return;
      twin.solveLower(this.#field, factors, x.width, part(x));
      twin.solveUpper(this.#field, factors, x.width, part(x));
    });
  }

  free(): void {}

  /** `part`: the rows of the problem in a tall block. */
  #each(work: (k: number, part: (x: TallBlock) => Uint32Array) => void): void {
    for (let k = 0; k < this.#problems.length; k++) {
      const [from, to] = [this.#starts[k]! * this.#b, this.#starts[k + 1]! * this.#b];
      work(k, (x) => wordsOf(x).subarray(from * x.width, to * x.width));
    }
  }
}

function wordsOf(x: TallBlock): Uint32Array {
  return (x as HostTall).words;
}

/** Problem k by itself, its values those of the batch. */
function problemOf({ b, pattern, values, starts }: BlockBatch, k: number): twin.BlockMatrix {
  const [first, end] = [starts[k]!, starts[k + 1]!];
  const [from, to] = [pattern.rowPtr[first]!, pattern.rowPtr[end]!];
  const rowPtr = pattern.rowPtr.slice(first, end + 1).map((at) => at - from);
  const colIdx = pattern.colIdx.slice(from, to).map((j) => j - first);
  return { b, pattern: new BlockPattern(rowPtr, colIdx), values: values.subarray(from * b * b, to * b * b) };
}
