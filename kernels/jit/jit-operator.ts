/**
 * A matrix on the cpu executor whose products are compiled code (compile-matrix.ts), for each width when vectors of it
 * first come. The encoder must be loaded (encoder.ts). Nothing chooses it unasked, since it pays only where vectors are
 * single and products many (test/bench/RESULTS.md#where-compiled-rows-win).
 */
import type { CpuContext } from '../blocks/cpu-context.js';
import { cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import type { BlockVector, Operator } from '../executor.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { argumentList, setArguments } from '../threads/argument-list.js';
import type { Command } from '../threads/team.js';
import { checkSize, compileMatrix } from './compile-matrix.js';
import * as L from './jit-layout.js';

/** As the other formats have (kernels/spmm/cpu-operator.ts). */
const CHUNKS_A_THREAD = 16;

/** A number for each module, whoever has it. */
let modules = 0;

interface InMemory {
  readonly command: Command;
  readonly at: number; // to be released
}

export class JitOperator implements Operator {
  readonly rows: number;
  readonly cols: number;
  readonly context: CpuContext;
  private readonly stored: ResidueMatrix | null;
  private readonly storedTransposed: ResidueMatrix | null;
  private readonly compiled = new Map<string, InMemory>(); // by direction and width
  private isReleased = false;

  /** Of `stored`, rows × cols, and of its transpose, or one of them. */
  constructor(
    context: CpuContext,
    rows: number,
    cols: number,
    stored: ResidueMatrix | null,
    storedTransposed: ResidueMatrix | null,
  ) {
    this.context = context;
    this.rows = rows;
    this.cols = cols;
    this.stored = stored;
    this.storedTransposed = storedTransposed;
    for (const matrix of [stored, storedTransposed]) {
      if (matrix) checkSize(matrix.rows, matrix.colIdx.length, 1, context.residues);
    }
  }

  /** Of all modules so far. */
  get codeBytes(): number {
    return [...this.compiled.values()].reduce((sum, { command }) => sum + command.words[L.CODE_BYTES >> 2], 0);
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    for (const command of this.commands(false, y, x, alpha, beta)) this.context.team.go(command);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    for (const command of this.commands(true, y, x, alpha, beta)) this.context.team.go(command);
  }

  /** The product as a command, whose words stay good until the next call; none where y is empty. */
  commands(transposed: boolean, y: BlockVector, x: BlockVector, alpha: number, beta: number): Command[] {
    const { residues, order } = this.context;
    const who = transposed ? 'applyTransposed' : 'apply';
    if (this.isReleased) throw new shapes.ShapeError(`${who}: expected an operator, got one that was released`);
    const [to, from] = [cpuVector(y).at, cpuVector(x).at];
    shapes.checkApply(who, this, transposed, y, x, to === from);
    const matrix = shapes.requireStored(who, transposed ? this.storedTransposed : this.stored);
    if (y.length === 0 || y.width === 0) return [];
    shapes.checkCanonical(who, Uint32Array.of(alpha, beta), order);
    const { command } = this.compile(matrix, transposed, x.width);
    setArguments(
      command.words,
      [L.X, from],
      [L.Y, to],
      [L.AFFINE, Number(alpha !== 1 || beta !== 0)],
      [L.ALPHA, residues.multiplier(alpha)],
      [L.BETA, residues.multiplier(beta)],
      [L.PLAIN_ALPHA, alpha],
      [L.PLAIN_BETA, beta],
    );
    return [command];
  }

  free(): void {
    if (this.isReleased) return; // Others may own the places by now.
    this.isReleased = true;
    for (const { at } of this.compiled.values()) this.context.arena.release(at);
  }

  private compile(matrix: ResidueMatrix, transposed: boolean, width: number): InMemory {
    const key = `${transposed} ${width}`;
    const known = this.compiled.get(key);
    if (known) return known;
    const { arena, team, field, residues } = this.context;
    const least = team.threads === 1 ? 1 : team.threads * CHUNKS_A_THREAD;
    const { code, chunks, tiles, tileBytes, rest } = compileMatrix(matrix, field, residues, width, least);
    const at = arena.uploadBytes(code);
    const words = argumentList(
      [L.CODE, at],
      [L.CODE_BYTES, code.length],
      [L.CODE_NUMBER, ++modules],
      [L.CHUNKS, chunks],
      [L.TILES, tiles],
      [L.TILE_BYTES, tileBytes],
      [L.REST, rest],
      [L.MODULUS, field.p],
      [L.CONSTANT, residues.constant],
      [L.ONE, residues.multiplier(1)],
      [L.PLAIN_BETA, 0],
    );
    const made = { command: team.command('spmmJit', words), at };
    this.compiled.set(key, made);
    return made;
  }
}
