/**
 * A sequence whose columns several devices make at once, each of which keeps its own.
 *
 *   share j : a part of the run (kept-parts.ts), which its device writes to the folder itself
 *
 * The number of shares is kept with them: as many devices go on with the same columns, and one device takes the shares
 * for parts, one after another. Between two looks at the blocks it is asked here whether the run is to end; the devices
 * then keep what they have made.
 */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { StoppedError } from '../checkpoint/store.js';
import { MethodError } from '../method-error.js';
import type { GrowingBlocks } from './growing-blocks.js';
import { JoinedSums, partName } from './kept-parts.js';
import type { Sequence } from './krylov.js';
import { type KeptShare, type SequenceDevice, type SequenceTask, startShares } from './krylov-columns.js';
import type { KrylovShape } from './krylov-steps.js';

/** The number of shares is nowhere else. */
const SHARES = ['shares.json', 'shares-copy.json'] as const;

/** Milliseconds between two questions whether the run is to end. */
const POLL = 200;

/**
 * How many shares an attempt's sequence is kept in for `devices` devices, none of which is this one: null for none,
 * where this device makes the whole. MethodError where it is kept in another number.
 */
export async function keptShares(checkpoint: Checkpoint, attempt: string, devices: number): Promise<number | null> {
  let kept: number | null = null;
  for (const name of SHARES) {
    const count = (await checkpoint.recall(name))?.fields['count'];
    if (typeof count === 'number' && Number.isInteger(count) && count > 0) kept ??= count;
  }
  if (devices === 0 || kept === devices) return kept;
  const own = `gpus ${devices}: expected`;
  if (kept !== null) throw new MethodError(`${own} ${kept}, as the run was begun, or one device without gpus`);
  if ((await checkpoint.names(`${attempt}-blocks-`)).length > 0)
    throw new MethodError(`${own} one device without gpus, as the run was begun`);
  await checkpoint.removeAll(`${attempt}-`); // shares of an unknown number
  for (const name of SHARES) await checkpoint.keep(name, { count: devices });
  return devices;
}

/** The sequence of `task` on `devices`, each of which goes on from what it has kept. */
export async function startKept(
  checkpoint: Checkpoint,
  attempt: string,
  devices: readonly SequenceDevice[],
  task: SequenceTask,
): Promise<Sequence> {
  const { folder } = checkpoint;
  if (folder === null) throw new MethodError('gpus: expected a run that is kept in a directory');
  const shareOf = (j: number): KeptShare => ({ ...folder, name: partName(attempt, j) });
  return new KeptShares(checkpoint, await startShares(devices, task, shareOf));
}

class KeptShares implements Sequence {
  readonly shape: KrylovShape;
  readonly check;
  private readonly checkpoint: Checkpoint;
  private readonly inner: Sequence;
  private readonly sums = new JoinedSums();

  constructor(checkpoint: Checkpoint, inner: Sequence) {
    [this.checkpoint, this.inner, this.shape] = [checkpoint, inner, inner.shape];
    const { sums } = this;
    this.check = {
      get passed() {
        return inner.check?.passed ?? 0;
      },
      get failed() {
        return inner.check?.failed ?? 0;
      },
      recheck: (s: GrowingBlocks) => sums.hold(s),
    };
  }

  get s(): GrowingBlocks {
    return this.inner.s;
  }

  get t(): GrowingBlocks {
    return this.inner.t;
  }

  get adjoint(): boolean | null {
    return this.inner.adjoint;
  }

  get seconds(): number {
    return this.inner.seconds;
  }

  async extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    let end = (): void => {};
    const ended = new Promise<'ended'>((resolve) => {
      end = () => resolve('ended');
    });
    const first = this.s.count;
    const watching = this.watch(ended);
    try {
      await this.inner.extend(count, moments, check, onStep);
    } finally {
      end();
    }
    if (await watching) throw new StoppedError();
    this.sums.add(this.s, first);
  }

  stop(): Promise<void> {
    return this.inner.stop!();
  }

  free(): void {
    this.inner.free();
  }

  /** Until the blocks are here; whether the run was ended meanwhile. */
  private async watch(ended: Promise<'ended'>): Promise<boolean> {
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, POLL));
    while ((await Promise.race([ended, wait()])) !== 'ended') {
      const due = await this.checkpoint.due();
      if (due === 'no') continue;
      await this.checkpoint.keepAll(async () => {}); // where it stands
      if (due === 'keep') continue;
      await this.stop();
      return true;
    }
    return false;
  }
}
