/**
 * Steps that the cpu executor does again and again, written down once: many of them are one call of WebAssembly
 * (kernels/threads/replay.as.ts).
 *
 * A Krylov step is five commands or more, for a small matrix of some 100 µs together, and asking for them one by one takes
 * 25 µs in between; moreover V8 compiles whatever is entered some thousand times, on a core that a compute thread has to do
 * without meanwhile.
 */

import type { CpuContext } from '../blocks/cpu-context.js';
import type { Awaitable, Recording } from '../executor.js';
import type { LaidOut, WrittenCommand } from '../threads/team.js';

/** Steps looked at: the words of the first two give those of all others, which the last has to confirm. */
const SHOWN = 3;

export class WrittenSteps implements Recording {
  private readonly context: CpuContext;
  private readonly steps: LaidOut;
  private readonly releases: number;

  /** Of the commands of step 0, and what their words gain from one step to the next. */
  private constructor(context: CpuContext, commands: readonly WrittenCommand[], gains: readonly Int32Array[]) {
    const { team, arena } = context;
    this.context = context;
    const place = team.firstPlace;
    const words: number[] = [];
    commands.forEach(({ index, alone, words: arguments_ }, c) => {
      words.push(place + index, index, Number(alone), arguments_.length, ...arguments_, ...gains[c]);
    });
    this.steps = { at: arena.upload(Uint32Array.from(words)), count: commands.length };
    this.releases = arena.releases;
  }

  /** Null where a step does more than to ask for commands, looks at memory or allocates some, or asks for others than step 0. */
  static async of(context: CpuContext, step: (index: number) => Awaitable<void>): Promise<WrittenSteps | null> {
    const { team, arena } = context;
    const { uses } = arena;
    const shown: WrittenCommand[][] = [];
    for (let i = 0; i < SHOWN; i++) shown.push(await team.write(async () => step(i)));
    const [zeroth, first, second] = shown;
    if (arena.uses !== uses || !areAlike(zeroth, first) || !areAlike(zeroth, second)) return null;
    const gains = zeroth.map(({ words }, c) => words.map((word, i) => first[c].words[i] - word));
    const isEven = second.every(({ words }, c) => words.every((word, i) => word === first[c].words[i] + gains[c][i]));
    return isEven ? new WrittenSteps(context, zeroth, gains) : null;
  }

  run(first: number, end: number): boolean {
    const { context, steps } = this;
    const { team, arena } = context;
    if (arena.releases !== this.releases) return false;
    if (steps.count > 0) team.replay(steps, first * steps.count, end * steps.count);
    return true;
  }

  free(): void {
    this.context.arena.release(this.steps.at);
  }
}

function areAlike(a: readonly WrittenCommand[], b: readonly WrittenCommand[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ index, alone, words }, c) => {
      return index === b[c].index && alone === b[c].alone && words.length === b[c].words.length;
    })
  );
}
