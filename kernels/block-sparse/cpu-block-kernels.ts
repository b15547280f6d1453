/**
 * The kernels on a batch by the team, a whole problem a thread: the sibling of block-products.as.ts and
 * block-factors.as.ts.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { KernelName } from '../generated/kernel-names.js';
import { polyField } from '../residues/field-words.js';
import { type Argument, argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import {
  type BlockBatch,
  type BlockKernels,
  checkBatch,
  checkDiagonal,
  checkWidth,
  type ProductOptions,
  type TallBlock,
} from './block-batch.js';
import * as L from './block-kernels-layout.js';
import { transposedLists } from './block-lists.js';
import type { Sign } from './reference.js';

interface CpuTall extends TallBlock {
  readonly at: number;
}

type Lists = readonly Argument[];

export class CpuBlockKernels implements BlockKernels {
  readonly #team: Team;
  readonly #batch: BlockBatch;
  readonly #owned: number[] = [];
  readonly #batchWords: readonly Argument[];
  readonly #rows: Lists;
  readonly #values: number;
  #columns: Lists | null = null; // of the transpose
  #factors: readonly Argument[] = [];
  #factorPlaces: readonly number[] = [];

  constructor(team: Team, field: WordPrime, batch: BlockBatch) {
    checkBatch(batch);
    [this.#team, this.#batch] = [team, batch];
    const { b, pattern, values, starts } = batch;
    const { memory } = team;
    try {
      const constants = polyField(memory, field);
      this.#owned.push(constants);
      const scratch = this.#alloc(L.SCRATCH_BYTES * team.threads);
      // biome-ignore format: a line a group of words
      this.#batchWords = [
        [L.COUNT, starts.length - 1], [L.STARTS, this.#upload(starts)], [L.BLOCK, b],
        [L.FIELD, constants], [L.ZERO, this.#upload(new Uint32Array(1))], [L.SCRATCH, scratch],
      ];
      this.#values = this.#upload(values);
      const [ptr, others] = [this.#upload(pattern.rowPtr), this.#upload(pattern.colIdx)];
      this.#rows = [[L.PTR, ptr], [L.OTHERS, others]]; // biome-ignore format: a pair
    } catch (error) {
      this.free();
      throw error;
    }
  }

  tall(width: number, data?: Uint32Array): TallBlock {
    checkWidth(width);
    const words = this.#batch.pattern.n * this.#batch.b * width;
    const { memory } = this.#team;
    const at = data === undefined ? memory.allocZeroed(4 * words) : memory.alloc(4 * words);
    this.#owned.push(at);
    if (data !== undefined) memory.u32(at, words).set(data);
    const tall: CpuTall = { width, at };
    return tall;
  }

  async read(x: TallBlock): Promise<Uint32Array> {
    return this.#team.memory.u32(placeOf(x), this.#batch.pattern.n * this.#batch.b * x.width).slice();
  }

  release(x: TallBlock): void {
    this.#release(placeOf(x));
  }

  addTallProduct(y: TallBlock, x: TallBlock, m: Uint32Array, sign: Sign): void {
    const at = this.#upload(m);
    this.#launch('blockAxpy', x, [L.Y, placeOf(y)], [L.M, at], [L.IS_MINUS, Number(sign < 0)]);
    this.#release(at);
  }

  async dotTall(x: TallBlock, z: TallBlock): Promise<Uint32Array> {
    const words = (this.#batch.starts.length - 1) * x.width * x.width;
    const at = this.#alloc(4 * words);
    this.#launch('blockDot', x, [L.Y, placeOf(z)], [L.M, at]);
    const out = this.#team.memory.u32(at, words).slice();
    this.#release(at);
    return out;
  }

  addBlockProduct(y: TallBlock, x: TallBlock, { sign, transposed, diagonal }: ProductOptions): void {
    const lists = transposed ? this.#transposed() : this.#rows;
    this.#launch(
      'blockMultiply',
      x,
      ...lists,
      [L.VALUES, this.#values],
      [L.Y, placeOf(y)],
      [L.IS_MINUS, Number(sign < 0)],
      [L.IS_TRANSPOSED, Number(transposed)],
      [L.LACKS_DIAGONAL, Number(!diagonal)],
    );
  }

  async factor(): Promise<Int32Array> {
    checkDiagonal(this.#batch);
    const { b, pattern, values, starts } = this.#batch;
    const { memory } = this.#team;
    const count = starts.length - 1;
    for (const at of this.#factorPlaces) this.#release(at);
    this.#factorPlaces = [];
    const positions = memory.allocZeroed(4 * pattern.n);
    this.#owned.push(positions);
    const places = [this.#upload(new Uint32Array(pattern.diagonal)), this.#upload(values)];
    for (const words of [pattern.n * b * b, count]) places.push(this.#alloc(4 * words));
    this.#factorPlaces = places;
    const [diagonal, factored, inverses, singular] = places as [number, number, number, number];
    // biome-ignore format: a line a group of words
    this.#factors = [
      ...this.#rows, [L.DIAGONAL, diagonal], [L.VALUES, factored], [L.INVERSES, inverses], [L.SINGULAR, singular],
    ];
    const args = argumentList(...this.#batchWords, ...this.#factors, [L.POSITIONS, positions]);
    this.#team.launch('blockFactor', args, false);
    this.#release(positions);
    return memory.i32(singular, count).map((row, k) => (row < 0 ? -1 : row - starts[k]!));
  }

  substitute(x: TallBlock): void {
    for (const isUpper of [0, 1]) this.#launch('blockSubstitute', x, ...this.#factors, [L.IS_UPPER, isUpper]);
  }

  free(): void {
    for (const at of this.#owned.splice(0)) this.#team.memory.release(at);
  }

  #transposed(): Lists {
    if (this.#columns === null) {
      const { ptr, places, others } = transposedLists(this.#batch.pattern);
      this.#columns = [
        [L.PTR, this.#upload(ptr)],
        [L.PLACES, this.#upload(places)],
        [L.OTHERS, this.#upload(others)],
      ];
    }
    return this.#columns;
  }

  #launch(name: KernelName, x: TallBlock, ...more: readonly Argument[]): void {
    const words = argumentList(...this.#batchWords, [L.WIDTH, x.width], [L.X, placeOf(x)], ...more);
    this.#team.launch(name, words, false);
  }

  #alloc(bytes: number): number {
    const at = this.#team.memory.alloc(bytes);
    this.#owned.push(at);
    return at;
  }

  #upload(words: Uint32Array): number {
    const at = this.#alloc(4 * words.length);
    this.#team.memory.u32(at, words.length).set(words);
    return at;
  }

  #release(at: number): void {
    this.#owned.splice(this.#owned.indexOf(at), 1);
    this.#team.memory.release(at);
  }
}

function placeOf(x: TallBlock): number {
  return (x as CpuTall).at;
}
