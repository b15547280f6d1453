/**
 * Block vectors in panels of columns, each a vector of another executor: for a device that binds no block as a whole.
 *
 *   V : length × (k·n), n columns of elements of k coordinates      V_q : length × (k·n_q), n_q ≤ most
 *
 *   A·V = [A·V_0 | A·V_1 | …]      Xᵀ·V = (X_rᵀ·V_q)      V·a = Σ_r V_r·a_r
 *
 * Every operator is stored once, and its products follow each other panel by panel. Nothing is computed otherwise, so
 * the integers are those of the whole block. A vector of `most` columns or fewer is the other executor's own.
 */
import type { ExtensionField } from '../../fields/extension.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { ShapeError } from '../checks.js';
import type {
  BlockVector,
  Executor,
  Operator,
  OperatorOptions,
  Program,
  Projection,
  SmallBlocks,
  Step,
} from '../executor.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { interpret } from './interpreter.js';
import { numbers, panelColumns, putColumns, putParts, takeColumns, takeRows } from './panel-columns.js';

class PanelVector implements BlockVector {
  readonly length: number;
  readonly width: number;
  readonly columns: readonly Uint32Array[]; // of each panel, their numbers in V
  readonly panels: readonly BlockVector[];

  constructor(length: number, width: number, columns: readonly Uint32Array[], panels: readonly BlockVector[]) {
    this.length = length;
    this.width = width;
    this.columns = columns;
    this.panels = panels;
  }
}

/** The parts of a block by rows, which its first writer says, and by columns. */
class PanelBlocks implements SmallBlocks {
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  rowsOf: readonly Uint32Array[] = []; // of each row of parts, their numbers in a block
  parts: SmallBlocks[][] = [];

  constructor(count: number, rows: number, cols: number) {
    this.count = count;
    this.rows = rows;
    this.cols = cols;
  }
}

export class PaneledExecutor implements Executor {
  readonly name: Executor['name'];
  readonly device: string;
  readonly threads: number;
  readonly field: WordPrime;
  readonly extension: ExtensionField | null;
  readonly randomNumbers?: NonNullable<Executor['randomNumbers']>;
  readonly random?: NonNullable<Executor['random']>;
  private readonly inner: Executor;
  private readonly layers: number;
  private readonly most: number;

  /** Vectors of `inner`, which stays the caller's, of `most` columns of elements of `layers` coordinates at most. */
  constructor(inner: Executor, most: number, layers = 1) {
    this.inner = inner;
    this.most = most;
    this.layers = layers;
    this.name = inner.name;
    this.device = inner.device;
    this.threads = inner.threads;
    this.field = inner.field;
    this.extension = inner.extension ?? null;
    if (inner.randomNumbers) this.randomNumbers = (...what) => inner.randomNumbers!(...what);
    // The columns of a panel are neighbours where they have one coordinate.
    if (inner.random && layers === 1) {
      this.random = (v, seed, stream, { first, of } = { first: 0, of: v.width }) => {
        panelsOf(v).forEach((panel, q) => {
          inner.random!(panel, seed, stream, { first: first + columnsOf(v)[q][0], of });
        });
      };
    }
  }

  vector(length: number, width: number): BlockVector {
    const columns = this.columnsOf(width);
    if (columns.length === 1) return this.inner.vector(length, width);
    const panels: BlockVector[] = [];
    try {
      for (const { length: own } of columns) panels.push(this.inner.vector(length, own));
    } catch (error) {
      for (const panel of panels) this.inner.release(panel);
      throw error;
    }
    return new PanelVector(length, width, columns, panels);
  }

  /** Of a vector in panels, the elements as rows of their coordinates, or back. */
  view(v: BlockVector, length: number, width: number): BlockVector {
    if (!(v instanceof PanelVector)) return this.inner.view(v, length, width);
    if (length === v.length && width === v.width) return v;
    const { layers } = this;
    const isApart = length === layers * v.length && v.width === layers * width;
    const isBack = v.length === layers * length && width === layers * v.width;
    if (!isApart && !isBack) throw new ShapeError(`view: expected elements of ${layers}, got ${length} × ${width}`);
    const columns = isBack ? this.columnsOf(width) : panelColumns(width, this.most);
    const panels = v.panels.map((panel, q) => this.inner.view(panel, length, columns[q].length));
    return new PanelVector(length, width, columns, panels);
  }

  write(v: BlockVector, data: Uint32Array, firstRow = 0): void {
    if (!(v instanceof PanelVector)) {
      this.inner.write(v, data, firstRow);
      return;
    }
    const rows = data.length / v.width;
    if (!Number.isInteger(rows))
      throw new ShapeError(`write: expected rows of ${v.width}, got ${data.length} residues`);
    v.panels.forEach((panel, q) => {
      this.inner.write(panel, takeColumns(data, v.width, v.columns[q]), firstRow);
    });
  }

  async read(v: BlockVector): Promise<Uint32Array> {
    if (!(v instanceof PanelVector)) return this.inner.read(v);
    const reading = v.panels.map(async (panel) => this.inner.read(panel));
    const out = new Uint32Array(v.length * v.width);
    (await Promise.all(reading)).forEach((words, q) => {
      putColumns(out, v.width, v.columns[q], words);
    });
    return out;
  }

  copy(to: BlockVector, from: BlockVector): void {
    eachPair(to, from, (a, b) => this.inner.copy(a, b));
  }

  fill(v: BlockVector, value: number): void {
    for (const panel of panelsOf(v)) this.inner.fill(panel, value);
  }

  release(v: BlockVector): void {
    for (const panel of panelsOf(v)) this.inner.release(panel);
  }

  operator(matrix: ResidueMatrix, options?: OperatorOptions): Operator {
    return this.adopt(this.inner.operator(matrix, options));
  }

  scale(v: BlockVector, d: BlockVector): void {
    for (const panel of panelsOf(v)) this.inner.scale(panel, d);
  }

  blockAxpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    if (a.length !== x.width * y.width) throw new ShapeError(`blockAxpy: expected ${x.width} × ${y.width} factors`);
    panelsOf(y).forEach((to, q) => {
      panelsOf(x).forEach((from, r) => {
        const rows = takeRows(a, y.width, columnsOf(x)[r]);
        this.inner.blockAxpy(to, from, takeColumns(rows, y.width, columnsOf(y)[q]));
      });
    });
  }

  expand(y: BlockVector, u: Projection, c: Uint32Array): void {
    panelsOf(y).forEach((to, q) => {
      this.inner.expand(to, u, y instanceof PanelVector ? takeColumns(c, y.width, y.columns[q]) : c);
    });
  }

  blocks(count: number, rows: number, cols: number): SmallBlocks {
    const isWhole = this.columnsOf(cols).length === 1 && this.columnsOf(rows).length === 1;
    return isWhole ? this.inner.blocks(count, rows, cols) : new PanelBlocks(count, rows, cols);
  }

  blockDot(out: SmallBlocks, index: number, x: BlockVector, z: BlockVector): void {
    const parts = this.partsOf(out, columnsOf(x), z);
    panelsOf(x).forEach((left, r) => {
      panelsOf(z).forEach((right, q) => {
        this.inner.blockDot(parts[r][q], index, left, right);
      });
    });
  }

  project(out: SmallBlocks, index: number, u: Projection, z: BlockVector): void {
    const [parts] = this.partsOf(out, [numbers(out.rows)], z);
    panelsOf(z).forEach((panel, q) => {
      this.inner.project(parts[q], index, u, panel);
    });
  }

  async readBlocks(out: SmallBlocks, first: number, count: number): Promise<Uint32Array> {
    if (!(out instanceof PanelBlocks)) return this.inner.readBlocks(out, first, count);
    const { rows, cols, rowsOf, parts } = out;
    const columns = this.columnsOf(cols);
    // All are asked for at once, as they are now; where one fails, so does the whole.
    const read = await Promise.all(
      parts.map((row) => Promise.all(row.map(async (part) => this.inner.readBlocks(part, first, count)))),
    );
    const blocks = new Uint32Array(count * rows * cols);
    for (const [r, row] of read.entries()) {
      for (const [q, words] of row.entries()) {
        putParts(blocks, cols, rows, rowsOf[r], columns[q], words);
      }
    }
    return blocks;
  }

  releaseBlocks(out: SmallBlocks): void {
    if (!(out instanceof PanelBlocks)) this.inner.releaseBlocks(out);
    else for (const part of out.parts.splice(0).flat()) this.inner.releaseBlocks(part);
  }

  compile(step: Step): Program {
    return interpret(this, step);
  }

  dispose(): void {} // all is the other executor's

  /** An operator of the other executor, on vectors of this one; freed with it. */
  adopt(map: Operator): Operator {
    const each = async (y: BlockVector, x: BlockVector, work: (y: BlockVector, x: BlockVector) => unknown) => {
      const pairs: [BlockVector, BlockVector][] = [];
      eachPair(y, x, (to, from) => pairs.push([to, from]));
      for (const [to, from] of pairs) await work(to, from);
    };
    return {
      rows: map.rows,
      cols: map.cols,
      isStreamed: map.isStreamed,
      apply: (y, x, alpha, beta) => each(y, x, (to, from) => map.apply(to, from, alpha, beta)),
      applyTransposed: (y, x, alpha, beta) => each(y, x, (to, from) => map.applyTransposed(to, from, alpha, beta)),
      free: () => map.free?.(),
    };
  }

  /** Column numbers by panel of a width. */
  private columnsOf(width: number): Uint32Array[] {
    const { layers, most } = this;
    if (width <= layers * most) return [numbers(width)];
    if (width % layers !== 0) throw new ShapeError(`panels: expected a multiple of ${layers} columns, got ${width}`);
    const n = width / layers;
    return panelColumns(n, most).map((own) => {
      const all = Array.from({ length: layers }, (_, layer) => own.map((j) => layer * n + j));
      return Uint32Array.from(all.flatMap((each) => [...each]));
    });
  }

  /** The parts of blocks that come from rows cut so and the panels of z. */
  private partsOf(out: SmallBlocks, rowsOf: readonly Uint32Array[], z: BlockVector): readonly SmallBlocks[][] {
    if (!(out instanceof PanelBlocks)) return [[out]];
    const rows = rowsOf.reduce((sum, { length }) => sum + length, 0);
    if (out.rows !== rows || out.cols !== z.width) {
      throw new ShapeError(`block: expected ${out.rows} × ${out.cols}, got ${rows} × ${z.width}`);
    }
    if (out.parts.length === 0) {
      out.rowsOf = rowsOf;
      const parts = (rows: Uint32Array) =>
        panelsOf(z).map((panel) => this.inner.blocks(out.count, rows.length, panel.width));
      for (const rows of rowsOf) out.parts.push(parts(rows));
    }
    if (out.parts.length !== rowsOf.length) throw new ShapeError('block: expected rows in the panels of the first use');
    return out.parts;
  }
}

function panelsOf(v: BlockVector): readonly BlockVector[] {
  return v instanceof PanelVector ? v.panels : [v];
}

function columnsOf(v: BlockVector): readonly Uint32Array[] {
  return v instanceof PanelVector ? v.columns : [numbers(v.width)];
}

function eachPair(y: BlockVector, x: BlockVector, work: (y: BlockVector, x: BlockVector) => void): void {
  const [to, from] = [panelsOf(y), panelsOf(x)];
  if (to.length !== from.length) throw new ShapeError(`panels: expected ${y.width} columns, got ${x.width}`);
  to.forEach((panel, q) => {
    work(panel, from[q]);
  });
}
