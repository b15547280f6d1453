/**
 * A matrix on the cpu executor whose products are made in floating-point numbers (kernels/residues/words.ts): X becomes
 * floats, rows of A are walked as CSR, ELL or ELL_R, and sums become residues of Y again.
 *
 * The executor's vectors stay what they are: beside what its entries gather, a product reads X once more and writes it
 * as floats.
 */
import { floatEntriesBeforeReduction, largestResidue } from '../../fields/reduction.js';
import type { CpuContext } from '../blocks/cpu-context.js';
import { cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import type { BlockVector, Operator, OperatorOptions } from '../executor.js';
import type { KernelName } from '../generated/kernel-names.js';
import { type FloatName, floatBytes, floatFormat } from '../residues/words.js';
import { type Layout, WALKS } from '../sparse/formats/layout.js';
import { type Plan, planOf } from '../sparse/plan.js';
import { type ResidueMatrix, transpose } from '../sparse/residue-matrix.js';
import { balanceChunks } from '../sparse/row-partition.js';
import { VALUE_CLASSES, type ValueClass } from '../sparse/unit-split.js';
import { passesOf } from '../spmm/cpu-operator.js';
import * as L from '../spmm/spmm-layout.js';
import { type Argument, argumentList, setArguments } from '../threads/argument-list.js';
import type { Command } from '../threads/team.js';
import { COUNT, FLOAT_HIGHEST, FLOAT_MODULUS, FROM, HIGHEST, TO } from './float-layout.js';

/** As the integers have (kernels/spmm/cpu-operator.ts). */
const CHUNKS_A_THREAD = 16;

/** Fewer residues become floats on one thread. */
const SHARED_FLOATS = 2 ** 14;

/** Runs of ±1 and general entries are bounded, so that byte counts stay small. */
const LONGEST_RUN = 2 ** 16;

interface InMemory {
  readonly commands: readonly Command[];
  readonly places: readonly number[]; // to be released
}

export class FloatOperator implements Operator {
  readonly rows: number;
  readonly cols: number;
  readonly context: CpuContext;
  private readonly words: FloatName;
  private readonly stored: InMemory | null = null;
  private readonly storedTransposed: InMemory | null = null;
  private floats = { at: -1, bytes: 0 }; // of X
  private isReleased = false;

  /** Of plans whose parts are all walked as runs. */
  constructor(
    context: CpuContext,
    words: FloatName,
    rows: number,
    cols: number,
    plan: Plan | null,
    planTransposed: Plan | null,
  ) {
    this.context = context;
    this.words = words;
    this.rows = rows;
    this.cols = cols;
    try {
      this.stored = plan && upload(context, words, plan);
      this.storedTransposed = planTransposed && upload(context, words, planTransposed);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    for (const command of this.commands(false, y, x, alpha, beta)) this.context.team.go(command);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    for (const command of this.commands(true, y, x, alpha, beta)) this.context.team.go(command);
  }

  /** The product as commands, whose words stay good until the next call; none where y is empty. */
  commands(transposed: boolean, y: BlockVector, x: BlockVector, alpha: number, beta: number): Command[] {
    const { residues, order } = this.context;
    const who = transposed ? 'applyTransposed' : 'apply';
    if (this.isReleased) throw new shapes.ShapeError(`${who}: expected an operator, got one that was released`);
    const [to, from] = [cpuVector(y).at, cpuVector(x).at];
    shapes.checkApply(who, this, transposed, y, x, to === from);
    const { commands } = shapes.requireStored(who, transposed ? this.storedTransposed : this.stored);
    if (y.length === 0 || y.width === 0) return [];
    shapes.checkCanonical(who, Uint32Array.of(alpha, beta), order);
    const floats = this.makeFloats(x, from);
    commands.forEach(({ words }, i) => {
      const keep = i === 0 ? beta : 1;
      setArguments(
        words,
        [L.X, this.floats.at],
        [L.Y, to],
        [L.WIDTH, x.width],
        [L.AFFINE, Number(alpha !== 1 || keep !== 0)],
        [L.ALPHA, residues.multiplier(alpha)],
        [L.BETA, residues.multiplier(keep)],
      );
    });
    return [...floats, ...commands];
  }

  free(): void {
    if (this.isReleased) return; // Others may own the places by now.
    this.isReleased = true;
    const { arena } = this.context;
    for (const { places } of [this.stored, this.storedTransposed].filter((each) => each !== null)) {
      for (const at of places) arena.release(at);
    }
    if (this.floats.at >= 0) arena.release(this.floats.at);
  }

  /** X as floats, in scratch that grows; programs look for its place again when something was released. */
  private makeFloats(x: BlockVector, from: number): Command[] {
    const { arena, team, field, residues } = this.context;
    const { accumulator, residues: representation } = floatFormat(this.words);
    const count = x.length * x.width;
    const bytes = count * (accumulator === 'f32' ? 4 : 8);
    if (this.floats.at < 0 || this.floats.bytes < bytes) {
      if (this.floats.at >= 0) arena.release(this.floats.at);
      this.floats = { at: -1, bytes: 0 };
      this.floats = { at: arena.alloc(bytes), bytes };
    }
    if (count === 0) return [];
    const words = argumentList(
      [FROM, from],
      [TO, this.floats.at],
      [COUNT, count],
      [FLOAT_MODULUS, field.p],
      [HIGHEST, Number(largestResidue(field.modulus, representation))],
    );
    const kernel: KernelName =
      residues.name === 'u32' ? 'floatsU32F64' : accumulator === 'f32' ? 'floatsU16F32' : 'floatsU16F64';
    return [team.command(kernel, words, count < SHARED_FLOATS)];
  }
}

function upload(context: CpuContext, name: FloatName, plan: Plan): InMemory {
  const { arena, team, field, residues } = context;
  const { accumulator, residues: representation } = floatFormat(name);
  const terms = floatEntriesBeforeReduction(field.p, accumulator, representation);
  const places: number[] = [];
  const keep = (at: number): number => {
    places.push(at);
    return at;
  };
  const put = (words: Uint32Array | null): number => (words === null ? 0 : keep(arena.upload(words)));
  const partArguments = (at: number, { walk, columns, values, words }: Layout): Argument[] => {
    if (walk !== WALKS.runs) throw new RangeError(`words ${name}: expected rows side by side, got walk ${walk}`);
    return [
      [at + L.COLUMNS, put(columns)],
      [at + L.VALUES, values === null ? 0 : keep(arena.uploadBytes(floatBytes(name, field.p, values)))],
      ...words.map((word, w): Argument => [at + L.WORD_0 + 4 * w, typeof word === 'number' ? word : put(word)]),
    ];
  };
  try {
    const bounds = balanceChunks(plan.rowPtr, team.threads === 1 ? 1 : team.threads * CHUNKS_A_THREAD);
    const chunks = put(bounds);
    const commands = passesOf(plan).map((pass: Partial<Record<ValueClass, Layout>>) => {
      const parts = VALUE_CLASSES.flatMap((values, c) => {
        const layout = pass[values];
        return layout ? partArguments(L.PARTS + c * L.PART_BYTES, layout) : [];
      });
      const words = argumentList(
        [L.GENERAL + L.WORD_2, 0], // the last word, so that parts that there are not are 0
        [L.CHUNKS, chunks],
        [L.CHUNK_COUNT, bounds.length - 1],
        [L.MODULUS, field.p],
        [L.UNIT_TERMS, 4 * Math.min(LONGEST_RUN, terms.units)],
        [L.GENERAL_TERMS, 4 * Math.min(LONGEST_RUN, terms.general)],
        [L.CONSTANT, residues.constant],
        [FLOAT_HIGHEST, Number(largestResidue(field.modulus, representation))],
        ...parts,
      );
      const kernel: KernelName =
        residues.name === 'u32' ? 'spmmF64U32' : accumulator === 'f32' ? 'spmmF32U16' : 'spmmF64U16';
      return team.command(kernel, words);
    });
    return { commands, places };
  } catch (error) {
    for (const at of places) arena.release(at);
    throw error;
  }
}

/** The formats whose rows are walked as runs. */
const STORAGES: readonly OperatorOptions['storage'][] = [undefined, 'csr', 'ell', 'ell-r'];

/** Throws RangeError for a storage that floats are not walked in. */
export function floatOperator(
  context: CpuContext,
  words: FloatName,
  matrix: ResidueMatrix,
  { use = 'both', storage }: OperatorOptions,
): FloatOperator {
  if (!STORAGES.includes(storage)) {
    throw new RangeError(`words ${words}: expected storage auto, csr, ell or ell-r, got ${storage}`);
  }
  const plan = (a: ResidueMatrix): Plan => planOf(a, context.field.p, { storage, onePass: true });
  const stored = use === 'transposed' ? null : plan(matrix);
  const storedTransposed = use === 'apply' ? null : plan(transpose(matrix));
  return new FloatOperator(context, words, matrix.rows, matrix.cols, stored, storedTransposed);
}
