/**
 * One look for the generator under way: the order basis of a residual by the recursion of pm-basis.ts, on any engine.
 * It may end before any base case and go on, from words too.
 *
 *   turn k    of the nodes whose first half is done the k-th, from the outermost on: `left` its basis, `rest` the
 *             residual that it leaves
 *
 * The series, the degrees and the turns are all there is before a base case. What the check of the basis goes by,
 * images of the residual, waits beside them.
 */
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';

/** Called before a base case: where it throws, all stays as it is. */
export type Pause = () => Promise<void>;

/** Coefficients of a residual times y, those from `first` on. */
export interface Images {
  readonly products: PolyMatrix;
  readonly first: number;
}

/** What a look begins with. */
interface Start {
  readonly to: number; // the order that it leads to
  readonly first: number; // of the images
  readonly leaf: number; // orders of a base case, of which every engine takes the same
  readonly cols: number; // of the series
}

interface Turn {
  readonly at: number; // the first order of the second half
  readonly left: PolyMatrix;
  rest: PolyMatrix | null; // until it is made
}

export interface LookState {
  readonly fields: {
    readonly start: Start;
    readonly degrees: readonly number[];
    readonly turns: readonly number[]; // where their second halves begin
  };
  /** The series, `left` and `rest` of each turn, the images if there are any. */
  readonly words: readonly Uint32Array[];
}

export class Look {
  readonly start: Start;
  readonly images: Images | null;
  /** Of the rows, behind what is done. */
  readonly degrees: Int32Array;
  private readonly engine: OrderBasisEngine;
  private readonly rhsRows: number;
  private readonly series: PolyMatrix;
  private readonly turns: Turn[] = [];

  /** The matrices become its own; rows have these degrees, and the last `rhsRows` are no pivots. */
  constructor(
    engine: OrderBasisEngine,
    start: Start,
    series: PolyMatrix,
    products: PolyMatrix | null,
    degrees: ArrayLike<number>,
    rhsRows: number,
  ) {
    [this.engine, this.start, this.series, this.rhsRows] = [engine, start, series, rhsRows];
    this.images = products && { products, first: start.first };
    this.degrees = Int32Array.from(degrees);
  }

  /** The basis; it and the images are the caller's then. After `pause` has thrown the next call goes on. */
  async find(pause: Pause): Promise<PolyMatrix> {
    const found = await this.node(this.series, 0, 0, pause);
    this.engine.release(this.series);
    return found;
  }

  /** The node number `depth` of those that turn, of a series from an order on. */
  private async node(series: PolyMatrix, order: number, depth: number, pause: Pause): Promise<PolyMatrix> {
    const { engine, degrees, turns, rhsRows } = this;
    const { leaf } = this.start;
    if (series.length <= leaf) {
      await pause();
      return engine.sigmaBasis(series, degrees, rhsRows);
    }
    const half = Math.ceil(series.length / 2 / leaf) * leaf;
    if (turns[depth]?.at !== order + half) {
      const left = await this.node(engine.beginning(series, half), order, depth, pause);
      turns.push({ at: order + half, left, rest: null });
      turns[depth].rest = engine.residual(left, series, half, series.length - half);
    }
    const turn = turns[depth];
    const right = await this.node(turn.rest!, turn.at, depth + 1, pause);
    engine.release(turn.rest!);
    turns.pop();
    try {
      return engine.compose(right, turn.left);
    } finally {
      for (const factor of [right, turn.left]) engine.release(factor);
    }
  }

  /** Orders whose basis is found, in parts. */
  get reached(): number {
    return this.turns.at(-1)?.at ?? 0;
  }

  /** Of the words of `state`. */
  get bytes(): number {
    return bytesOf(this.matrices());
  }

  async state(): Promise<LookState> {
    const { start, degrees } = this;
    const words = [];
    for (const a of this.matrices()) words.push(await this.engine.read(a, 0, a.length));
    const turns = this.turns.map(({ at }) => at);
    return { fields: { start, degrees: [...degrees], turns }, words };
  }

  /** Goes on from there; the images are of `width` columns. */
  static goOnFrom(engine: OrderBasisEngine, { fields, words }: LookState, rhsRows: number, width: number): Look {
    const { start, degrees, turns } = fields;
    const rows = degrees.length;
    const all: PolyMatrix[] = [];
    try {
      for (const [i, each] of words.entries())
        all.push(writtenPoly(engine, each, rows, i > 2 * turns.length ? width : i % 2 ? rows - rhsRows : start.cols));
    } catch (error) {
      for (const a of all) engine.release(a);
      throw error;
    }
    const products = all[2 * turns.length + 1] ?? null;
    const look = new Look(engine, start, all[0], products, degrees, rhsRows);
    look.turns.push(...turns.map((at, k) => ({ at, left: all[2 * k + 1], rest: all[2 * k + 2] })));
    return look;
  }

  free(): void {
    for (const a of this.matrices()) this.engine.release(a);
  }

  private matrices(): PolyMatrix[] {
    const { images, series, turns } = this;
    const made = turns.flatMap(({ left, rest }) => (rest ? [left, rest] : [left]));
    return [series, ...made, ...(images ? [images.products] : [])];
  }
}

export function bytesOf(matrices: readonly (PolyMatrix | null)[]): number {
  return matrices.reduce((sum, a) => sum + (a ? 4 * a.rows * a.cols * a.length : 0), 0);
}

/** A matrix of these blocks. */
export function writtenPoly(engine: OrderBasisEngine, blocks: Uint32Array, rows: number, cols: number): PolyMatrix {
  const out = engine.create(rows, cols, blocks.length / (rows * cols));
  try {
    engine.write(out, blocks);
    return out;
  } catch (error) {
    engine.release(out);
    throw error;
  }
}
