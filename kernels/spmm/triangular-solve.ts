/**
 * Forward substitution on the cpu executor: the rows of a product, taken in sections that the threads share.
 *
 * A section is a run of rows that do not need each other, dealt out evenly, or several runs too short for that, which
 * one thread takes in order. The kernel is kernels/spmm/triangular-solve.as.ts.
 */

import { type CpuContext, copyCommands } from '../blocks/cpu-context.js';
import { cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import type { BlockVector, Substitution } from '../executor.js';
import type { KernelFamily } from '../residues/storage.js';
import type { Plan } from '../sparse/plan.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { balanceShares, rowsCost } from '../sparse/row-partition.js';
import type { Command } from '../threads/team.js';
import { aim, type PassInMemory, passesOf, upload } from './cpu-operator.js';
import { independentRuns } from './independent-runs.js';

const SUBSTITUTE: KernelFamily = { u16: 'substituteU16', u32: 'substituteU32', gf256: 'substituteGf256' };

/**
 * One thread takes a run alone below so many entries a thread, a row counting as some: threads then wait for each other
 * longer than they work (test/bench/RESULTS.md#shared-runs).
 */
const WORTH_SHARING = 400;

/**
 * The same of a whole run where there are more threads than cores, which sleep and wake between two sections
 * (test/bench/RESULTS.md#shared-runs).
 */
const WORTH_WAKING = 32768;

export class CpuSubstitution implements Substitution {
  readonly given: number;
  readonly steps: number;
  readonly context: CpuContext;
  private readonly stored: PassInMemory;
  private isReleased = false;

  constructor(context: CpuContext, matrix: ResidueMatrix, plan: Plan) {
    this.context = context;
    this.given = shapes.checkTriangular(matrix);
    this.steps = matrix.rows;
    const runs = independentRuns(matrix, this.given);
    const { threads, spin } = context.team;
    const worth = spin === 0 ? WORTH_WAKING : WORTH_SHARING * threads;
    const isShared = (first: number, last: number): boolean =>
      threads > 1 && rowsCost(matrix.rowPtr, first, last) >= worth;
    const taking = runs.some((run, r) => r > 0 && isShared(runs[r - 1], run)) ? threads : 1;
    const shares = sections(matrix, runs, taking, isShared);
    const count = shares.length / (taking + 1);
    const [pass] = passesOf(plan);
    this.stored = upload(context, plan, pass, SUBSTITUTE, shares, count, taking, taking === 1);
  }

  run(v: BlockVector, x: BlockVector): void {
    for (const command of this.commands(v, x)) this.context.team.go(command);
  }

  /** The substitution as commands, whose words stay good until the next call. */
  commands(v: BlockVector, x: BlockVector): Command[] {
    if (this.isReleased) throw new shapes.ShapeError('expected a substitution, got one that was released');
    const { residues } = this.context;
    const { given, steps, stored } = this;
    const [to, from] = [cpuVector(v).at, cpuVector(x).at];
    shapes.checkSubstitution(given, steps, v, x, to === from);
    const { width } = v;
    const bytes = given * width * residues.bytes;
    const copied = copyCommands(this.context, to, from, bytes);
    if (steps === 0 || width === 0) return copied;
    aim(this.context, stored.command, to + bytes, to, v);
    return [...copied, stored.command];
  }

  /** Of the kernel, as of the last run. */
  get words(): Int32Array {
    return this.stored.command.words;
  }

  free(): void {
    if (this.isReleased) return; // Others may own the places by now.
    this.isReleased = true;
    for (const at of this.stored.places) this.context.arena.release(at);
  }
}

/** The shares of every section, threads + 1 offsets each. */
function sections(
  matrix: ResidueMatrix,
  runs: readonly number[],
  threads: number,
  isShared: (first: number, last: number) => boolean,
): Uint32Array {
  const { rows, rowPtr } = matrix;
  if (threads === 1) return Uint32Array.of(0, rows);
  const shares: Uint32Array[] = [];
  let first = 0; // of the runs that one thread takes
  const takeAlone = (last: number): void => {
    if (last > first) shares.push(new Uint32Array(threads + 1).fill(last).fill(first, 0, 1));
  };
  for (let r = 0; r + 1 < runs.length; r++) {
    if (!isShared(runs[r], runs[r + 1])) continue;
    takeAlone(runs[r]);
    shares.push(balanceShares(rowPtr, runs[r], runs[r + 1], threads));
    first = runs[r + 1];
  }
  takeAlone(rows);
  const out = new Uint32Array(shares.length * (threads + 1));
  shares.forEach((share, s) => {
    out.set(share, s * (threads + 1));
  });
  return out;
}
