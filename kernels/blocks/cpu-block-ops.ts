/**
 * Small dense blocks on the cpu executor, by the kernels of block-ops-u16.as.ts, block-ops-u32.as.ts and
 * block-ops-gf256.as.ts: project, blockDot (Uᵀ = x) and scale as commands, whose words stay good until the next ones,
 * expand and blockAxpy at once.
 *
 * Coordinates are dealt out in tasks that stay in the first cache and never cross a block row of U.
 */

import type { Projection } from '../executor.js';
import { PAIRS_COUNT, PAIRS_MODULUS, PAIRS_SOURCE, PAIRS_TO } from '../residues/multipliers-layout.js';
import type { KernelFamily } from '../residues/storage.js';
import { argumentList, setArguments } from '../threads/argument-list.js';
import type { Command } from '../threads/team.js';
import * as L from './block-ops-layout.js';
import { type CpuContext, makeMultipliers } from './cpu-context.js';
import { type CpuBlocks, type CpuVector, Scratch } from './cpu-vector.js';

const PROJECT: KernelFamily = { u16: 'projectU16', u32: 'projectU32', gf256: 'projectGf256' };
const SUM_PARTS: KernelFamily = { u16: 'sumParts', u32: 'sumParts', gf256: 'sumPartsGf256' };
const COMBINE: KernelFamily = { u16: 'combineU16', u32: 'combineU32', gf256: 'combineGf256' };
const SCALE: KernelFamily = { u16: 'scaleU16', u32: 'scaleU32', gf256: 'scaleGf256' };

const TASK_ROWS = 512;

/** A projection whose multipliers are in memory. */
interface Placed {
  readonly multipliers: number;
  readonly tasks: number;
  readonly count: number;
}

/** Projections, and tasks of whole vectors, that stay in memory: those used last. */
const KEPT = 4;

export class CpuDense {
  private readonly context: CpuContext;
  private readonly parts: Scratch;
  private readonly multipliers: Scratch;
  private readonly coefficients: Scratch;
  private readonly wholeTasks = new Map<number, number>(); // by length
  private readonly placed = new Map<Projection, Placed>();
  private readonly frozen = new Map<number, number>(); // pairs of frozen vectors, by the vectors' places
  private readonly projectCommand: Command;
  private readonly sumCommand: Command;

  constructor(context: CpuContext) {
    this.context = context;
    this.parts = new Scratch(context.arena);
    this.multipliers = new Scratch(context.arena);
    this.coefficients = new Scratch(context.arena);
    const { team, residues, field } = context;
    // biome-ignore format: a line a group of words
    const project = argumentList(
      [L.MODULUS, field.p], [L.TERMS, residues.generalTerms],
      [L.CONSTANT, residues.constant], [L.I16_TERMS, residues.i16Terms],
    );
    this.projectCommand = team.command(PROJECT[residues.name], project);
    const sum = argumentList([L.SUM_MODULUS, field.p], [L.SUM_SCALE, residues.plainScale]);
    this.sumCommand = team.command(SUM_PARTS[residues.name], sum, true);
  }

  /** out[index] ← U·z */
  project(out: CpuBlocks, index: number, u: Projection, z: CpuVector): Command[] {
    return this.sums(out, index, this.place(u), u.layers, z);
  }

  /** out[index] ← xᵀ·z: one block row whose coefficients are the rows of x. */
  blockDot(out: CpuBlocks, index: number, x: CpuVector, z: CpuVector): Command[] {
    const [multipliers, made] = this.multipliersOf(x);
    return [...made, ...this.sums(out, index, { ...this.whole(x.length), multipliers }, x.width, z)];
  }

  /** y ← y + Uᵀ·c */
  expand(y: CpuVector, u: Projection, c: Uint32Array): void {
    this.combine(y, this.place(u), u.layers, c);
  }

  /** y ← y + x·a */
  blockAxpy(y: CpuVector, x: CpuVector, a: Uint32Array): void {
    const [multipliers, made] = this.multipliersOf(x);
    for (const command of made) this.context.team.go(command);
    this.combine(y, { ...this.whole(x.length), multipliers }, x.width, a);
  }

  /** v[i, ·] ← d[i]·v[i, ·] */
  scale(v: CpuVector, d: CpuVector): Command[] {
    const { team, residues, field } = this.context;
    const square = residues.bytes === 4 ? field.mul(residues.plainScale, residues.plainScale) : 0;
    const [multipliers, made] = this.multipliersOf(d);
    // biome-ignore format: a line a group of words
    const words = argumentList(
      [L.SCALE_VECTOR, v.at], [L.SCALE_WIDTH, v.width], [L.SCALE_FACTORS, multipliers], [L.SCALE_LENGTH, v.length],
      [L.SCALE_MODULUS, field.p], [L.SCALE_CONSTANT, residues.constant], [L.SCALE_SQUARE, square],
    );
    return [...made, team.command(SCALE[residues.name], words)];
  }

  /** The pairs of x are made once: x does not change until it is thawed. */
  freeze(x: CpuVector): void {
    const { residues, arena } = this.context;
    if (residues.bytes !== 2 || this.frozen.has(x.at)) return;
    const to = arena.alloc(pairBytes(x));
    this.context.team.go(this.pairsCommand(to, x));
    this.frozen.set(x.at, to);
  }

  /** The vector at this place is released, or changes again. */
  thaw(at: number): void {
    const pairs = this.frozen.get(at);
    if (pairs === undefined) return;
    this.frozen.delete(at);
    this.context.arena.release(pairs);
  }

  private sums(out: CpuBlocks, index: number, u: Placed, layers: number, z: CpuVector): Command[] {
    if (out.rows * out.cols === 0) return [];
    const { residues } = this.context;
    const parts = this.parts.ensure(u.count * layers * residues.partBytes(z.width));
    const project = this.projectCommand;
    // biome-ignore format: a line a group of words
    setArguments(
      project.words, [L.VECTOR, z.at], [L.WIDTH, z.width], [L.FACTORS, u.multipliers], [L.LAYERS, layers],
      [L.TASKS, u.tasks], [L.COUNT, u.count], [L.BLOCK, parts],
    );
    const sum = this.sumCommand;
    // biome-ignore format: a line a group of words
    setArguments(
      sum.words, [L.SUM_PARTS, parts], [L.SUM_TASKS, u.tasks], [L.SUM_COUNT, u.count], [L.SUM_LAYERS, layers],
      [L.SUM_WIDTH, z.width], [L.SUM_OUT, out.blockAt(index)], [L.SUM_ROWS, out.rows],
    );
    return [project, sum];
  }

  private combine(y: CpuVector, u: Placed, layers: number, c: Uint32Array): void {
    const { team, residues, field, arena } = this.context;
    if (u.count === 0 || y.width === 0) return;
    const at = this.coefficients.ensure(c.length * residues.bytes);
    if (residues.bytes === 1) arena.memory.u8(at, c.length).set(c);
    else if (residues.bytes === 2) arena.memory.u16(at, c.length).set(c);
    else arena.memory.u32(at, c.length).set(c.map((v) => residues.multiplier(v)));
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.VECTOR, y.at], [L.WIDTH, y.width], [L.FACTORS, u.multipliers], [L.LAYERS, layers],
      [L.TASKS, u.tasks], [L.COUNT, u.count], [L.BLOCK, at],
      [L.MODULUS, field.p], [L.TERMS, residues.generalTerms], [L.CONSTANT, residues.constant],
    );
    team.launch(COMBINE[residues.name], args, false);
  }

  /** The entries of x as multipliers, pairs for u16, else as they are, and the commands that make them. */
  private multipliersOf(x: CpuVector): [at: number, made: Command[]] {
    if (this.context.residues.bytes !== 2) return [x.at, []];
    const frozen = this.frozen.get(x.at);
    if (frozen !== undefined) return [frozen, []];
    const to = this.multipliers.ensure(pairBytes(x));
    return [to, [this.pairsCommand(to, x)]];
  }

  private pairsCommand(to: number, x: CpuVector): Command {
    const { team, field } = this.context;
    const count = x.length * x.width;
    // biome-ignore format: a line a group of words
    return team.command('pairsU16', argumentList(
      [PAIRS_SOURCE, x.at], [PAIRS_TO, to], [PAIRS_COUNT, count], [PAIRS_MODULUS, field.p],
    ));
  }

  /** One block row of all coordinates. */
  private whole(length: number): { tasks: number; count: number } {
    const { wholeTasks } = this;
    const { arena } = this.context;
    let tasks = wholeTasks.get(length);
    if (tasks === undefined) {
      for (const [old, at] of wholeTasks) {
        if (wholeTasks.size < KEPT) break;
        arena.release(at);
        wholeTasks.delete(old);
      }
      tasks = arena.upload(tasksOf(Uint32Array.of(0, length)));
      wholeTasks.set(length, tasks);
    }
    return { tasks, count: Math.ceil(length / TASK_ROWS) };
  }

  private place(u: Projection): Placed {
    const known = this.placed.get(u);
    if (known) return known;
    const { arena, residues } = this.context;
    for (const [old, { multipliers, tasks }] of this.placed) {
      if (this.placed.size < KEPT) break;
      arena.release(multipliers);
      arena.release(tasks);
      this.placed.delete(old);
    }
    const words = tasksOf(u.bounds);
    const tasks = arena.upload(words);
    let multipliers = -1;
    try {
      // Factors of u32 stay plain: sumParts, or c, makes up for 2^-64 once. Codes stay as they are.
      multipliers =
        residues.bytes === 1 ? arena.uploadBytes(Uint8Array.from(u.coefficients)) : arena.upload(u.coefficients);
      if (residues.bytes === 2) makeMultipliers(this.context, multipliers, u.coefficients.length);
      const placed = { multipliers, tasks, count: (4 * words.length) / L.TASK_BYTES };
      this.placed.set(u, placed);
      return placed;
    } catch (error) {
      for (const at of [multipliers, tasks]) arena.release(at);
      throw error;
    }
  }
}

/** The kernel stores whole vectors of four pairs. */
function pairBytes(x: CpuVector): number {
  return 4 * (x.length * x.width + 4);
}

/** Block row, first and end of every task, as the layout has them. */
function tasksOf(bounds: Uint32Array): Uint32Array {
  const words: number[] = [];
  for (let r = 0; r + 1 < bounds.length; r++) {
    for (let first = bounds[r]; first < bounds[r + 1]; first += TASK_ROWS) {
      words.push(r, first, Math.min(bounds[r + 1], first + TASK_ROWS));
    }
  }
  return Uint32Array.from(words);
}
