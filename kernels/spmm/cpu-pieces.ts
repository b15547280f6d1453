/**
 * A matrix beyond the memory of the kernels, as an operator on threads: its pieces are packed once, in the kernels' own
 * formats, and pass through two buffers of that memory at every product.
 *
 *   A : rows × cols, A_d its rows first_d … first_(d+1) − 1
 *
 *   Y ← A·X : Y_d ← A_d·X      Y ← Aᵀ·X : Y ← Y + A_dᵀ·X_d, d = 0, 1, …
 *
 * The threads multiply by one buffer while the system reads the next piece into the other. A piece is packed in its
 * buffer, and the arguments of its kernels hold addresses there, so that bytes read back are good where they were
 * written and nowhere else. A direction is packed with its first product; what does not fit into a buffer is halved.
 * Sums mod p are exact: the integers are those of the whole matrix, whatever the pieces.
 */
import type { CpuContext } from '../blocks/cpu-context.js';
import { Arena, cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import { megabytes } from '../errors/megabytes.js';
import { MemoryError } from '../errors/memory-error.js';
import type { BlockVector, Operator } from '../executor.js';
import type { Scratch, ScratchFile } from '../platform/scratch.js';
import { type MatrixPieces, takeRows } from '../sparse/matrix-pieces.js';
import { planOf } from '../sparse/plan.js';
import { type ResidueMatrix, transpose } from '../sparse/residue-matrix.js';
import type { KernelMemory } from '../threads/memory.js';
import { CpuOperator } from './cpu-operator.js';

const BUFFERS = 2;

/** Bytes that a place is a multiple of: a cache line, and what kernels read behind an array's end. */
const LINE = 64;

/** A piece has no room in its buffer. */
class FullError extends Error {}

/** Places in one buffer, one behind the other. */
class Buffer extends Arena {
  used = 0;
  readonly at: number;
  private readonly capacity: number;

  constructor(memory: KernelMemory, at: number, capacity: number) {
    super(memory);
    this.at = at;
    this.capacity = capacity;
  }

  override alloc(bytes: number): number {
    const at = this.at + this.used;
    const size = LINE * Math.ceil(bytes / LINE) + LINE;
    if (this.used + size > this.capacity) throw new FullError();
    this.used += size;
    return at;
  }

  override release(): void {} // all at once, when the next piece comes
}

/** A_d or A_dᵀ, packed. */
interface Packed {
  readonly operator: CpuOperator; // good while its buffer has the piece
  readonly first: number; // its first row in A
  readonly isFirst: boolean; // of its direction
  readonly rows: number;
  readonly buffer: number;
  readonly at: number; // in the file
  readonly bytes: number;
}

/** One direction's pieces. */
interface Direction {
  readonly file: ScratchFile;
  readonly pieces: Packed[];
  isWhole: boolean;
}

export class CpuPieces implements Operator {
  readonly rows: number;
  readonly cols: number;
  readonly isStreamed = true;
  private readonly context: CpuContext;
  private readonly source: MatrixPieces;
  private readonly scratch: Scratch;
  private readonly bufferBytes: number;
  private readonly places: number[] = [];
  private readonly holds: (Packed | null)[] = []; // by buffer
  private readonly directions = new Map<boolean, Direction>();
  private isReleased = false;

  /** With two buffers of so many bytes. */
  constructor(context: CpuContext, source: MatrixPieces, scratch: Scratch, bufferBytes: number) {
    this.context = context;
    this.source = source;
    this.scratch = scratch;
    this.rows = source.rows;
    this.cols = source.cols;
    this.bufferBytes = bufferBytes;
    try {
      for (let b = 0; b < BUFFERS; b++) {
        this.places.push(context.arena.alloc(bufferBytes));
        this.holds.push(null);
      }
    } catch (error) {
      this.free();
      throw error;
    }
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    return this.applyEither(false, y, x, alpha, beta);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    return this.applyEither(true, y, x, alpha, beta);
  }

  /** Bytes of the packed pieces on the disk, and their number, of both directions. */
  get stored(): { readonly bytes: number; readonly pieces: number } {
    const all = [...this.directions.values()];
    return {
      bytes: all.reduce((sum, { file }) => sum + file.bytes, 0),
      pieces: all.reduce((sum, { pieces }) => sum + pieces.length, 0),
    };
  }

  free(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    for (const { file } of this.directions.values()) file.close();
    for (const at of this.places) this.context.arena.release(at);
  }

  private async applyEither(transposed: boolean, y: BlockVector, x: BlockVector, alpha: number, beta: number) {
    const who = transposed ? 'applyTransposed' : 'apply';
    if (this.isReleased) throw new shapes.ShapeError(`${who}: expected an operator, got one that was released`);
    shapes.checkApply(who, this, transposed, y, x, cpuVector(y).at === cpuVector(x).at);
    const multiply = ({ operator, first, isFirst, rows }: Packed): void => {
      const slice = (v: BlockVector): BlockVector =>
        cpuVector(v).view(rows, v.width, first * v.width * this.context.residues.bytes);
      if (transposed) operator.apply(y, slice(x), alpha, isFirst ? beta : 1);
      else operator.apply(slice(y), x, alpha, beta);
    };
    const known = this.directions.get(transposed);
    if (known?.isWhole) await this.stream(known, multiply);
    else await this.pack(transposed, multiply);
  }

  /** Every piece in its buffer, one after another; the next one is read while `multiply` has one. */
  private async stream({ file, pieces }: Direction, multiply: (piece: Packed) => void): Promise<void> {
    let coming = this.load(file, pieces[0]);
    try {
      for (let d = 0; d < pieces.length; d++) {
        await coming;
        coming = d + 1 < pieces.length ? this.load(file, pieces[d + 1]) : Promise.resolve();
        multiply(pieces[d]);
      }
    } finally {
      await coming.catch(() => undefined); // nothing is read into places that have another owner
    }
  }

  private async load(file: ScratchFile, piece: Packed): Promise<void> {
    if (this.holds[piece.buffer] === piece) return;
    this.holds[piece.buffer] = null;
    await file.read(this.context.arena.memory.u8(this.places[piece.buffer], piece.bytes), piece.at);
    this.holds[piece.buffer] = piece;
  }

  /** The same while the pieces are made. */
  private async pack(transposed: boolean, multiply: (piece: Packed) => void): Promise<void> {
    this.directions.get(transposed)?.file.close(); // of a product that failed
    const direction: Direction = { file: this.scratch.file(), pieces: [], isWhole: false };
    this.directions.set(transposed, direction);
    const { bounds } = this.source;
    for (let d = 0; d + 1 < bounds.length; d++) {
      this.packRows(direction, transposed, bounds[d], await this.source.piece(d), multiply);
    }
    direction.isWhole = true;
  }

  private packRows(
    direction: Direction,
    transposed: boolean,
    first: number,
    a: ResidueMatrix,
    multiply: (piece: Packed) => void,
  ): void {
    try {
      multiply(this.packPiece(direction, transposed, first, a));
    } catch (error) {
      if (!(error instanceof FullError)) throw error;
      if (a.rows <= 1) throw new MemoryError(this.tooLong(first, a.colIdx.length));
      const half = a.rows >> 1;
      this.packRows(direction, transposed, first, takeRows(a, 0, half), multiply);
      this.packRows(direction, transposed, first + half, takeRows(a, half, a.rows), multiply);
    }
  }

  private packPiece({ file, pieces }: Direction, transposed: boolean, first: number, a: ResidueMatrix): Packed {
    const { arena, field } = this.context;
    const buffer = pieces.length % BUFFERS;
    this.holds[buffer] = null;
    const places = new Buffer(arena.memory, this.places[buffer], this.bufferBytes);
    const plan = planOf(transposed ? (transpose(a) as ResidueMatrix) : a, field.p);
    const operator = new CpuOperator({ ...this.context, arena: places }, plan.rows, plan.cols, plan, null);
    const at = file.append(arena.memory.u8(places.at, places.used));
    const isFirst = pieces.length === 0;
    const piece: Packed = { operator, first, isFirst, rows: a.rows, buffer, at, bytes: places.used };
    pieces.push(piece);
    this.holds[buffer] = piece;
    return piece;
  }

  private tooLong(row: number, entries: number): string {
    const room = megabytes(this.bufferBytes);
    return `a matrix in pieces: row ${row + 1} with its ${entries} entries takes more than a piece of ${room} MB`;
  }
}
