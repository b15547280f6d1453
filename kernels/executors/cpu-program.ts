/**
 * A step as commands in kernel memory: many steps are one call of WebAssembly (kernels/threads/replay.as.ts).
 *
 * Each word of a command gains the same from every step to the next, since blocks lie evenly: steps 0 and 1 tell it. A
 * program whose step has a map of another kind, the caller's own for one, is interpreted.
 */

import type { CpuDense } from '../blocks/cpu-block-ops.js';
import type { CpuContext } from '../blocks/cpu-context.js';
import { cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import type { Awaitable, BlockVector, Call, Executor, Program, SmallBlocks, Step } from '../executor.js';
import type { Command, LaidOut } from '../threads/team.js';
import { flatten, interpret } from './interpreter.js';

/** An executor whose calls are commands. */
export interface CommandingExecutor extends Executor {
  /**
   * The commands of a call, whose words stay good until the next call of this function; null for a map of another
   * executor.
   */
  commands(call: Call, index: number): Command[] | null;
}

/** A command with what its words gain from one step to the next. */
interface Advancing extends Command {
  readonly gains: Int32Array;
}

/** Compilations at most until scratch stops growing; in a step of many unlike blocks it never does. */
const MOST_TRIES = 4;

export class CpuProgram implements Program {
  private readonly executor: CommandingExecutor;
  private readonly context: CpuContext;
  private readonly dense: CpuDense;
  private readonly step: Step;
  private readonly interpreted: Program;
  private readonly frozen = new Set<number>(); // places of vectors that are multiplied by and do not change
  private steps: LaidOut | null = null; // null while interpreted
  private room = { at: -1, words: 0 }; // for the steps
  private blocks: readonly SmallBlocks[] = []; // that the steps write
  private releases = -1; // of the arena, when places were last looked up

  constructor(executor: CommandingExecutor, context: CpuContext, dense: CpuDense, step: Step) {
    this.executor = executor;
    this.context = context;
    this.dense = dense;
    this.step = step;
    this.interpreted = interpret(executor, step);
  }

  run(first: number, end: number, check?: () => void): Awaitable<void> {
    if (first >= end) return undefined;
    const { team, arena } = this.context;
    // A release may have given the place of scratch, or of a vector between two maps, to another owner.
    if (arena.releases !== this.releases) this.compile();
    for (const out of this.blocks) shapes.checkBlockRange(out, first, end - first);
    const { steps } = this;
    if (!steps) return this.interpreted.run(first, end, check);
    check?.();
    if (steps.count > 0) team.replay(steps, first * steps.count, end * steps.count);
    return undefined;
  }

  free(): void {
    for (const at of this.frozen) this.dense.thaw(at);
    this.frozen.clear();
    if (this.room.at >= 0) this.context.arena.release(this.room.at);
    this.room = { at: -1, words: 0 };
    this.steps = null;
    this.releases = -1;
  }

  private compile(): void {
    const { arena, team } = this.context;
    arena.checkOpen();
    this.steps = null;
    this.releases = -1;
    const calls = flatten(this.step);
    this.blocks = calls.flatMap((call) => ('out' in call ? [call.out] : []));
    const commands = calls.every((call) => this.executor.commands(call, 0) !== null) ? this.settle(calls) : null;
    if (commands) {
      const place = team.firstPlace;
      const words: number[] = [];
      for (const { index, alone, words: arguments_, gains } of commands) {
        words.push(place + index, index, Number(alone), arguments_.length, ...arguments_, ...gains);
      }
      this.write(words);
      this.steps = { at: this.room.at, count: commands.length };
    }
    this.releases = arena.releases;
  }

  /** The commands; made again where the last of them grow the scratch that the first ones use. */
  private settle(calls: readonly Call[]): Advancing[] | null {
    const { arena } = this.context;
    this.freeze(calls);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { releases } = arena;
      const commands = calls.flatMap((call) => this.advancing(call));
      if (arena.releases === releases) return commands;
    }
    return null;
  }

  private advancing(call: Call): Advancing[] {
    const at = (index: number): Command[] =>
      this.executor.commands(call, index)!.map((command) => ({ ...command, words: command.words.slice() }));
    const zeroth = at(0);
    const first = 'out' in call && call.out.count > 1 ? at(1) : zeroth;
    return zeroth.map((command, c) => ({
      ...command,
      gains: command.words.map((word, i) => first[c].words[i] - word),
    }));
  }

  /** Vectors that the step multiplies by and does not change become multipliers once. */
  private freeze(calls: readonly Call[]): void {
    const changed = new Set(calls.flatMap((call) => listChanged(call).map((v) => cpuVector(v).at)));
    for (const call of calls) {
      const by = call.do === 'blockDot' ? call.x : call.do === 'scale' ? call.d : null;
      if (by === null || changed.has(cpuVector(by).at)) continue;
      this.dense.freeze(cpuVector(by));
      this.frozen.add(cpuVector(by).at);
    }
  }

  private write(words: readonly number[]): void {
    const { arena } = this.context;
    if (this.room.words !== words.length) {
      if (this.room.at >= 0) arena.release(this.room.at);
      this.room = { at: -1, words: 0 };
      this.room = { at: arena.alloc(4 * words.length), words: words.length };
    }
    arena.memory.u32(this.room.at, words.length).set(words);
  }
}

function listChanged(call: Call): BlockVector[] {
  switch (call.do) {
    case 'apply':
      return [call.y];
    case 'copy':
      return [call.to];
    case 'substitute':
    case 'scale':
      return [call.v];
    default:
      return [];
  }
}
