/**
 * Block vectors and operators on WebAssembly SIMD kernels, over F_p or over an extension that has residues
 * (storage.ts): the common part of both executors.
 *
 * Calls block until they are done. With more than one thread they wait in Atomics.wait: a page's main thread cannot.
 */
import type { ExtensionField } from '../../fields/extension.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { CpuDense } from '../blocks/cpu-block-ops.js';
import { type CpuContext, copyCommands } from '../blocks/cpu-context.js';
import { Arena, CpuBlocks, CpuVector, cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import type {
  BlockVector,
  Call,
  ColumnShare,
  Operator,
  OperatorOptions,
  Program,
  Projection,
  SmallBlocks,
  Step,
  Substitution,
} from '../executor.js';
import { FloatOperator, floatOperator } from '../float-words/float-operator.js';
import { JitOperator } from '../jit/jit-operator.js';
import type { Scratch } from '../platform/scratch.js';
import { randomNumbers, writeRandomNumbers } from '../residues/random.js';
import { gf256Storage, gf256Tables, storageOf } from '../residues/storage.js';
import { checkWords, isFloat } from '../residues/words.js';
import { checkProductSizes } from '../sparse/formats/product-sizes.js';
import type { MatrixPieces } from '../sparse/matrix-pieces.js';
import { narrowPlans } from '../sparse/narrow-plans.js';
import { planOf } from '../sparse/plan.js';
import { type ResidueMatrix, transpose } from '../sparse/residue-matrix.js';
import { CpuOperator } from '../spmm/cpu-operator.js';
import { CpuPieces } from '../spmm/cpu-pieces.js';
import { CpuSubstitution } from '../spmm/triangular-solve.js';
import type { Command, Team } from '../threads/team.js';
import { type CommandingExecutor, CpuProgram } from './cpu-program.js';

export class CpuElements implements CommandingExecutor {
  readonly name = 'cpu';
  readonly device: string;
  readonly threads: number;
  readonly field: WordPrime;
  readonly extension: ExtensionField | null;
  readonly team: Team;
  protected readonly arena: Arena;
  protected readonly context: CpuContext;
  private readonly dense: CpuDense;

  /** Over `extension`, if there is one; the team stays the caller's. */
  constructor(field: WordPrime, team: Team, extension: ExtensionField | null = null) {
    this.field = field;
    this.extension = extension;
    this.team = team;
    this.threads = team.threads;
    this.device = `cpu: ${team.threads} thread${team.threads === 1 ? '' : 's'}, WebAssembly SIMD`;
    const arena = new Arena(team.memory);
    const residues = extension ? gf256Storage(arena.uploadBytes(gf256Tables(extension))) : storageOf(field);
    this.arena = arena;
    this.context = { field, order: extension?.size ?? field.p, residues, team, arena };
    this.dense = new CpuDense(this.context);
  }

  vector(length: number, width: number): BlockVector {
    shapes.checkSize('vector', length, width);
    const at = this.arena.allocZeroed(length * width * this.context.residues.bytes);
    return new CpuVector(length, width, { at });
  }

  view(v: BlockVector, length: number, width: number): BlockVector {
    shapes.checkView(v, length, width);
    return cpuVector(v).view(length, width);
  }

  slice(v: BlockVector, firstRow: number, length: number): BlockVector {
    shapes.checkSlice(v, firstRow, length);
    return cpuVector(v).view(length, v.width, firstRow * v.width * this.context.residues.bytes);
  }

  write(v: BlockVector, data: Uint32Array, firstRow = 0): void {
    shapes.checkWrite(v, data, firstRow);
    shapes.checkCanonical('write', data, this.context.order);
    this.words(cpuVector(v)).set(data, firstRow * v.width);
  }

  read(v: BlockVector): Uint32Array {
    return new Uint32Array(this.words(cpuVector(v)));
  }

  random(v: BlockVector, seed: bigint, stream: number, share: ColumnShare = { first: 0, of: v.width }): void {
    shapes.checkShare(v, share);
    const { team, residues, order } = this.context;
    const { length, width } = v;
    const rows = { length, width, ...share };
    writeRandomNumbers(team, residues.name, cpuVector(v).at, rows, order, seed, stream);
  }

  randomNumbers(count: number, below: number, seed: bigint, stream: number): Uint32Array {
    return randomNumbers(this.context.team, count, below, seed, stream);
  }

  copy(to: BlockVector, from: BlockVector): void {
    this.go({ do: 'copy', to, from });
  }

  fill(v: BlockVector, value: number): void {
    shapes.checkCanonical('fill', Uint32Array.of(value), this.context.order);
    this.words(cpuVector(v)).fill(value);
  }

  release(v: BlockVector): void {
    const at = cpuVector(v).retire();
    this.dense.thaw(at);
    this.arena.release(at);
  }

  operator(matrix: ResidueMatrix, options: OperatorOptions = {}): Operator {
    const { p } = this.field;
    const { use = 'both', sizes = {} } = options;
    checkProductSizes(sizes);
    if (options.words !== undefined && this.extension === null) {
      checkWords(options.words, p);
      if (isFloat(options.words)) return floatOperator(this.context, options.words, matrix, options);
    }
    if (options.storage === 'jit' && this.extension === null) {
      const [stored, turned] = [use === 'transposed' ? null : matrix, use === 'apply' ? null : transpose(matrix)];
      return new JitOperator(this.context, matrix.rows, matrix.cols, stored, turned);
    }
    const plan = use === 'transposed' ? null : planOf(matrix, p, options);
    const planTransposed = use === 'apply' ? null : planOf(transpose(matrix), p, options);
    const narrow = options.storage === undefined ? narrowPlans(matrix, plan, planTransposed, sizes) : undefined;
    return new CpuOperator(this.context, matrix.rows, matrix.cols, plan, planTransposed, narrow, sizes.chunks);
  }

  operatorInPieces(pieces: MatrixPieces, scratch: Scratch, bufferBytes: number): CpuPieces {
    return new CpuPieces(this.context, pieces, scratch, bufferBytes);
  }

  substitution(matrix: ResidueMatrix): Substitution {
    return new CpuSubstitution(this.context, matrix, planOf(matrix, this.field.p, { onePass: true }));
  }

  scale(v: BlockVector, d: BlockVector): void {
    this.go({ do: 'scale', v, d });
  }

  blockAxpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    const [to, from] = [cpuVector(y), cpuVector(x)];
    shapes.checkAxpy(y, x, a, to.at === from.at);
    shapes.checkCanonical('blockAxpy', a, this.context.order);
    this.dense.blockAxpy(to, from, a);
  }

  expand(y: BlockVector, u: Projection, c: Uint32Array): void {
    shapes.checkExpand(y, u, c);
    shapes.checkCanonical('expand', c, this.context.order);
    this.dense.expand(cpuVector(y), u, c);
  }

  blocks(count: number, rows: number, cols: number): SmallBlocks {
    shapes.checkSize('blocks', count, rows, cols);
    return new CpuBlocks(count, rows, cols, this.arena.allocZeroed(4 * count * rows * cols));
  }

  blockDot(out: SmallBlocks, index: number, x: BlockVector, z: BlockVector): void {
    this.go({ do: 'blockDot', out, x, z }, index);
  }

  project(out: SmallBlocks, index: number, u: Projection, z: BlockVector): void {
    this.go({ do: 'project', out, u, z }, index);
  }

  readBlocks(out: SmallBlocks, first: number, count: number): Uint32Array {
    shapes.checkBlockRange(out, first, count);
    return this.arena.memory.u32((out as CpuBlocks).blockAt(first), count * out.rows * out.cols).slice();
  }

  compile(step: Step): Program {
    return new CpuProgram(this, this.context, this.dense, step);
  }

  commands(call: Call, index: number): Command[] | null {
    const { context, dense } = this;
    switch (call.do) {
      case 'apply': {
        const { map, y, x, transposed = false, alpha = 1, beta = 0 } = call;
        const isOwn = map instanceof CpuOperator || map instanceof JitOperator || map instanceof FloatOperator;
        if (!isOwn || map.context !== context) return null;
        return map.commands(transposed, y, x, alpha, beta);
      }
      case 'substitute':
        if (!(call.by instanceof CpuSubstitution) || call.by.context !== context) return null;
        return call.by.commands(call.v, call.x);
      case 'blockDot': {
        const { out, x, z } = call;
        shapes.checkDot(out, index, x, z);
        return dense.blockDot(out as CpuBlocks, index, cpuVector(x), cpuVector(z));
      }
      case 'project': {
        const { out, u, z } = call;
        shapes.checkProjection('project', u, z.length);
        shapes.checkBlock('project', out, index, u.rows * u.layers, z.width);
        return dense.project(out as CpuBlocks, index, u, cpuVector(z));
      }
      case 'copy': {
        const { to, from } = call;
        shapes.checkSameShape('copy', to, from);
        const bytes = to.length * to.width * context.residues.bytes;
        return copyCommands(context, cpuVector(to).at, cpuVector(from).at, bytes);
      }
      case 'scale':
        shapes.checkScale(call.v, call.d);
        return dense.scale(cpuVector(call.v), cpuVector(call.d));
    }
  }

  releaseBlocks(out: SmallBlocks): void {
    this.arena.release((out as CpuBlocks).retire());
  }

  dispose(): void {
    this.arena.releaseAll();
  }

  /** Runs the commands of one of this executor's own calls. */
  private go(call: Call, index = 0): void {
    for (const command of this.commands(call, index)!) this.team.go(command);
  }

  protected words(v: CpuVector): Uint8Array | Uint16Array | Uint32Array {
    const size = v.length * v.width;
    const { memory } = this.arena;
    const { bytes } = this.context.residues;
    return bytes === 1 ? memory.u8(v.at, size) : bytes === 2 ? memory.u16(v.at, size) : memory.u32(v.at, size);
  }
}
