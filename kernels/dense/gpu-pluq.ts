/**
 * Elimination of a dense matrix on a GPU, in place: its rank, the columns of the pivots and rows that span the row
 * space.
 *
 *   A : m × n, panel by panel of 64 columns      I, J : rows and columns of a block's pivots, r of them
 *
 *   A[i, ·] ← A[i, ·] − A[i, J]·M⁻¹·A[I, ·] for all rows i without pivot, M = A[I, J]
 *
 * A block is the first 64 rows without pivot, at the panel's columns. One workgroup sweeps it column by column
 * (pluq-block.wgsl), which gives its pivots and M⁻¹. The host reads the pivots and has their rows brought to the front.
 * L = A[·, J]·M⁻¹ and A[I, ·] become digits (pluq-left.wgsl, pluq-right.wgsl), and their product is taken from all
 * other rows (pluq-update.wgsl): nearly all the work on large matrices. The next panel loses it first, so that its
 * pivots travel to the host meanwhile. Where a block has fewer pivots than the panel has columns, rows that are not 0
 * in the other columns (pluq-candidates.wgsl) make the next block, until there are none.
 *
 * The pivots' columns are the column rank profile: a column that is independent of those before it in some rows is so
 * in all, and columns keep their dependencies when others are eliminated.
 * Sources: Tornheim 1960 (sweeping); Toledo 1997 (panels).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { Constants, GpuBuffer, GpuDevice, GpuKernel } from '../gpu/device.js';
import { fieldConstants } from '../gpu/field-constants.js';
import { type WgslName, WORKGROUP } from '../gpu/shader.js';
import type { GpuDenseMatrix } from './gpu-dense-matrix.js';
import { ACROSS, DEPTH, PANEL, pluqBytes, stepsOf, TILE } from './gpu-pluq-sizes.js';
import type { Pluq } from './pluq.js';

/** The bodies of the kernels. */
export const PLUQ_KERNELS = ['block', 'candidates', 'left', 'right', 'rows', 'update'] as const;

export const PLUQ_CONSTANTS: Constants = { WORKGROUP, SIDE: PANEL, TILE, DEPTH };

const FILL: readonly WgslName[] = ['launch', 'fill'];

/** Rows of which a workgroup looks for candidates. */
const CHUNK = 256;

const NONE = 0xffffffff;

/** The files of a kernel. */
export function pluqFiles(isU16: boolean, body: (typeof PLUQ_KERNELS)[number]): WgslName[] {
  const field: WgslName[] = isU16 ? ['u16', 'inverse', 'pluq-u16'] : ['u32', 'u32-sums', 'inverse', 'pluq-u32'];
  return ['launch', 'words-4', ...field, `pluq-${body}`];
}

/** Has the kernels compiled, unless they are there. */
export async function prepareGpuPluq(gpu: GpuDevice, field: WordPrime): Promise<void> {
  const constants = constantsOf(field);
  await Promise.all([
    gpu.prepare(FILL, { WORKGROUP }),
    ...PLUQ_KERNELS.map((body) => gpu.prepare(pluqFiles(field.isU16, body), constants)),
  ]);
}

function constantsOf(field: WordPrime): Constants {
  return { ...fieldConstants(field), ...PLUQ_CONSTANTS };
}

/** Overwrites `a`. Needs packed products of bytes: the language feature packed_4x8_integer_dot_product. */
export async function gpuPluq(gpu: GpuDevice, field: WordPrime, a: GpuDenseMatrix, check?: () => void): Promise<Pluq> {
  const run = new GpuPluqRun(gpu, field, a);
  try {
    return await run.go(check);
  } finally {
    run.release();
  }
}

/** Rows and columns of a block's pivots, counted from its own. */
interface Swept {
  readonly I: number[];
  readonly J: number[];
}

class GpuPluqRun {
  private readonly gpu: GpuDevice;
  private readonly field: WordPrime;
  private readonly a: GpuDenseMatrix;
  private readonly constants: Constants;
  private readonly numbers: Uint32Array; // which row of the given matrix stands there
  private readonly pivotCols: number[] = [];
  private readonly buffers: GpuBuffer[] = []; // all that follow
  private readonly block: GpuBuffer;
  private readonly first: GpuBuffer;
  private readonly left: GpuBuffer;
  private readonly right: GpuBuffer;
  private readonly moved: GpuBuffer;
  private next: Promise<Swept> | null = null; // of the next panel's first block, where it has begun

  constructor(gpu: GpuDevice, field: WordPrime, a: GpuDenseMatrix) {
    this.gpu = gpu;
    this.field = field;
    this.a = a;
    this.constants = constantsOf(field);
    this.numbers = Uint32Array.from({ length: a.rows }, (_, i) => i);
    const sizes = pluqBytes(field, a.rows, a.cols);
    const buffer = (bytes: number): GpuBuffer => {
      const made = gpu.buffer(bytes);
      this.buffers.push(made);
      return made;
    };
    try {
      this.block = buffer(sizes.block);
      this.first = buffer(sizes.first);
      this.left = buffer(sizes.left);
      this.right = buffer(sizes.right);
      this.moved = buffer(sizes.moved);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  async go(check: () => void = () => {}): Promise<Pluq> {
    const { rows, cols } = this.a;
    let rank = 0;
    for (let column = 0; column < cols && rank < rows; column += PANEL) {
      check();
      rank = await this.panel(rank, column);
    }
    const pivotCols = Uint32Array.from(this.pivotCols).sort();
    return { rank, pivotRows: this.numbers.slice(0, rank), pivotCols };
  }

  release(): void {
    for (const buffer of this.buffers) this.gpu.free(buffer);
  }

  /** Eliminates a panel of the rows from `rank` on; returns the rank with it. */
  private async panel(rank: number, column: number): Promise<number> {
    const { rows, cols } = this.a;
    const width = Math.min(PANEL, cols - column);
    for (let found = 0; ; ) {
      const { I, J } = await (this.next ?? this.sweep(rank, column));
      this.next = null;
      if (I.length > 0) {
        const places = I.map((i) => rank + i);
        this.bringToFront(rank, places);
        this.eliminate(rank, column, I, J);
        this.pivotCols.push(...J.map((j) => column + j));
      }
      rank += I.length;
      found += I.length;
      if (found === width || rank === rows) return rank;
      const candidates = await this.candidates(rank, column);
      if (candidates.length === 0) return rank;
      this.bringToFront(rank, candidates);
    }
  }

  /** Sweeps the block at (row, column). */
  private async sweep(row: number, column: number): Promise<Swept> {
    const { rows, buffer } = this.a;
    this.gpu.run(this.kernel('block'), [buffer, this.block], [rows, this.words, row, column], 1);
    const pivots = await this.gpu.read(this.block, 0, 4 * PANEL);
    const J = Array.from(pivots.keys()).filter((j) => pivots[j]! < PANEL);
    return { I: J.map((j) => pivots[j]!), J };
  }

  /** Rows from `row` on that are not 0 in the panel: for each of its columns the first, where there is one. */
  private async candidates(row: number, column: number): Promise<number[]> {
    const { rows, buffer } = this.a;
    this.gpu.run(this.gpu.kernel(FILL, { WORKGROUP }), [this.first], [PANEL, NONE], 1);
    const groups = Math.ceil((rows - row) / CHUNK);
    this.gpu.run(this.kernel('candidates'), [buffer, this.first], [rows, this.words, row, column, CHUNK], groups);
    const first = await this.gpu.read(this.first, 0, 4 * PANEL);
    return [...new Set(first)].filter((i) => i !== NONE);
  }

  /** These rows, all from `place` on, to place, place + 1, …, in their order. */
  private bringToFront(place: number, list: readonly number[]): void {
    const standing = new Map<number, number>(); // place → row that is to stand there, where that changes
    const at = new Map<number, number>(); // row → its place, likewise
    list.forEach((row, t) => {
      const [to, from] = [place + t, at.get(row) ?? row];
      if (to === from) return;
      const other = standing.get(to) ?? to;
      standing.set(to, row).set(from, other);
      at.set(row, to).set(other, from);
    });
    const moves = [...standing].filter(([to, from]) => to !== from);
    if (moves.length === 0) return;
    this.move(
      this.moved,
      this.a.buffer,
      moves.map(([, from], t) => [t, from]),
    );
    this.move(
      this.a.buffer,
      this.moved,
      moves.map(([to], t) => [to, t]),
    );
    const numbers = moves.map(([, from]) => this.numbers[from]!);
    moves.forEach(([to], t) => {
      this.numbers[to] = numbers[t]!;
    });
  }

  private move(to: GpuBuffer, from: GpuBuffer, moves: readonly (readonly [number, number])[]): void {
    const { buffer, offset } = this.gpu.operand(Uint32Array.from(moves.flat()));
    const { stride } = this.a;
    const groups = Math.ceil((moves.length * stride) / WORKGROUP);
    this.gpu.run(this.kernel('rows'), [buffer, from, to], [moves.length, stride, offset / 8], groups);
  }

  /** All rows behind the pivots', which stand from `row` on, lose them; I and J as `sweep` gave them. */
  private eliminate(row: number, column: number, I: readonly number[], J: readonly number[]): void {
    const { gpu, a } = this;
    const below = row + I.length;
    if (below === a.rows) return;
    const steps = stepsOf(this.field, I.length);
    const leftRows = TILE * Math.ceil((a.rows - below) / TILE);
    // The columns of a whole panel's pivots are not looked at again; else they become 0 with the others.
    const whole = I.length === PANEL;
    const vector = (whole ? column + PANEL : column) / a.residuesOfVector;
    if (vector === a.stride) return;
    const across = Math.ceil((a.stride - vector) / ACROSS);
    const { buffer: lists, offset } = gpu.operand(Uint32Array.from([...J, ...I]));
    gpu.run(
      this.kernel('left'),
      [a.buffer, this.block, lists, this.left],
      [a.rows, this.words, below, column, I.length, steps, leftRows, offset / 4],
      leftRows / LEFT_ROWS,
    );
    gpu.run(
      this.kernel('right'),
      [a.buffer, this.right],
      [a.rows, a.stride, row, vector, steps, across],
      Math.ceil((steps * across * ACROSS) / WORKGROUP),
    );
    const update = (first: number, tiles: number): void => {
      const parameters = [a.rows, a.stride, below, vector, steps, leftRows, across, first, tiles];
      gpu.run(this.kernel('update'), [this.left, this.right, a.buffer], parameters, (leftRows / TILE) * tiles);
    };
    if (!whole) {
      update(0, across);
      return;
    }
    // The first tile holds the next panel: its block travels to the host while the other tiles are updated.
    update(0, 1);
    this.next = this.sweep(below, column + PANEL);
    this.next.catch(() => undefined); // the await of it throws a failure
    update(1, across - 1);
    gpu.submit();
  }

  private kernel(body: (typeof PLUQ_KERNELS)[number]): GpuKernel {
    return this.gpu.kernel(pluqFiles(this.field.isU16, body), this.constants);
  }

  /** Words of a row. */
  private get words(): number {
    return 4 * this.a.stride;
  }
}

/** Rows of a workgroup of pluq-left.wgsl. */
const LEFT_ROWS = 32;
