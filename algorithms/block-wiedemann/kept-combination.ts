/**
 * The vector of a Horner's rule in a store, so that a combination of a Krylov space goes on where it ended.
 *
 *   X after so many steps, codes of GF(q), and the digest of the coefficients: X of others is not taken up
 *   What X has shown of a generator, once it is made, with the digest of that
 */
import type { BlockVector, Executor } from '../../kernels/executor.js';
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { KeptState } from '../checkpoint/kept-state.js';
import { digestOfBytes } from '../checkpoint/sealed.js';
import { bytesOf } from '../checkpoint/words.js';
import type { Generator } from './generator.js';
import { arraysOf } from './kept-attempt.js';
import type { WorkingField } from './working-field.js';

export class CombinationKeeper {
  private readonly checkpoint: Checkpoint;
  private readonly state: KeptState;
  private readonly of: string;
  private readonly executor: Executor;
  private readonly working: WorkingField;
  private readonly s: number;

  /** `name` is what the names of its arrays begin with; X has `s` columns. */
  constructor(
    checkpoint: Checkpoint,
    name: string,
    coefficients: Uint32Array,
    executor: Executor,
    working: WorkingField,
    s: number,
  ) {
    [this.checkpoint, this.executor, this.working, this.s] = [checkpoint, executor, working, s];
    this.state = new KeptState(checkpoint, name);
    this.of = digestOfBytes(bytesOf(coefficients));
  }

  /** Writes what is kept to X; the steps that are done, 0 for none. */
  async recall(x: BlockVector): Promise<number> {
    const kept = (await this.state.recall(x.length * this.s)).find(({ fields }) => fields['of'] === this.of);
    if (kept === undefined) return 0;
    this.state.goOnFrom(kept);
    this.executor.write(x, this.working.toResidues(kept.words, this.s));
    return kept.steps;
  }

  /** Between two steps: keeps X where that is due, and throws StoppedError where the run is to end. */
  async pass(steps: number, x: BlockVector): Promise<void> {
    const due = await this.checkpoint.due();
    if (due === 'no') return;
    await this.checkpoint.keepAll(async () => {
      const codes = this.working.fromResidues(await this.executor.read(x), this.s);
      if (steps > 0) await this.state.keep(steps, { of: this.of }, codes);
    });
    if (due === 'stop') this.checkpoint.leave();
  }
}

/** Whether the rows of a generator are relations: as was kept of this very one, or as `verify` says, which is kept. */
export async function keepVerdict(
  checkpoint: Checkpoint | undefined,
  attempt: number,
  { coefficients }: Pick<Generator, 'coefficients'>,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  if (!checkpoint) return verify();
  const name = `${arraysOf(attempt)}-verdict`;
  const of = digestOfBytes(bytesOf(coefficients));
  const kept = await checkpoint.recall(name);
  if (kept?.fields['of'] === of && typeof kept.fields['holds'] === 'boolean') return kept.fields['holds'];
  const holds = await verify();
  await checkpoint.keep(name, { of, holds });
  return holds;
}
