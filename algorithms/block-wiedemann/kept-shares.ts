/**
 * A sequence whose columns several devices make at once, each of which keeps its own.
 *
 *   share j : a part of the run (kept-parts.ts), which its device writes to the folder itself
 *
 * The number of shares is that of the devices at first, and is kept with them. Fewer devices make some shares in turns
 * (shares-in-turns.ts), of more devices some have nothing to do, and one device takes the shares for parts. A sequence
 * that one device began is one share. So the blocks are the same, whatever goes on with them.
 *
 * While blocks are made it is asked here whether the run is to end; the devices then keep what they have made.
 */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { StoppedError } from '../checkpoint/store.js';
import { type KeptTwice, keepTwice, recallTwice, type TwoNames } from '../checkpoint/twice.js';
import { MethodError } from '../method-error.js';
import type { GrowingBlocks } from './growing-blocks.js';
import { partName } from './kept-parts.js';
import type { Sequence } from './krylov.js';
import { type SequenceDevice, type SequenceTask, type Share, sharesOf, startShares } from './krylov-columns.js';
import type { KrylovShape } from './krylov-steps.js';
import { SharesInTurns } from './shares-in-turns.js';

/** The number of shares is nowhere else. */
const countNames = (attempt: string): TwoNames => [`${attempt}-shares`, `${attempt}-shares-copy`];

/** Milliseconds between two questions whether the run is to end. */
const POLL = 200;

/** The number of shares that an attempt's sequence is kept in; null where it is kept whole, or not at all. */
export async function keptShares(checkpoint: Checkpoint, attempt: string): Promise<number | null> {
  if (await isWhole(checkpoint, attempt)) return null;
  return countOf(await recallTwice(checkpoint, countNames(attempt)));
}

function countOf(kept: KeptTwice | null): number | null {
  const count = kept?.fields['count'];
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : null;
}

async function isWhole(checkpoint: Checkpoint, attempt: string): Promise<boolean> {
  return (await checkpoint.names(`${attempt}-blocks-`)).length > 0;
}

/** What the names of each share's arrays begin with; where nothing is kept, of as many shares as there are devices. */
async function sharesFor(checkpoint: Checkpoint, attempt: string, devices: number): Promise<string[]> {
  if (await isWhole(checkpoint, attempt)) return [attempt];
  const names = countNames(attempt);
  const kept = await recallTwice(checkpoint, names);
  const known = countOf(kept);
  if (known === null) await checkpoint.removeAll(`${attempt}-part-`); // of a number that is lost
  const count = known ?? devices;
  if (known === null || !kept?.isTwice) await keepTwice(checkpoint, names, { count });
  return Array.from({ length: count }, (_, j) => partName(attempt, j));
}

/** The sequence of `task` on `devices`, which go on from what is kept; `parts`: of a run that is planned so. */
export async function startKept(
  checkpoint: Checkpoint,
  attempt: string,
  devices: readonly SequenceDevice[],
  task: SequenceTask,
  parts?: number,
): Promise<Sequence> {
  const { folder } = checkpoint;
  if (folder === null) throw new MethodError('gpus: expected a run that is kept in a directory');
  const names =
    parts === undefined
      ? await sharesFor(checkpoint, attempt, devices.length)
      : Array.from({ length: parts }, (_, j) => partName(attempt, j));
  const shares: Share[] = sharesOf(task, names.length).map((own, j) => ({
    task: own,
    kept: { ...folder, name: names[j] },
    remark: (line: string) => checkpoint.remark(line),
  }));
  const sequence =
    shares.length > devices.length ? new SharesInTurns(devices, shares, task) : await startShares(devices, shares);
  return new KeptShares(checkpoint, sequence);
}

class KeptShares implements Sequence {
  readonly shape: KrylovShape;
  private readonly checkpoint: Checkpoint;
  private readonly inner: Sequence;

  constructor(checkpoint: Checkpoint, inner: Sequence) {
    [this.checkpoint, this.inner, this.shape] = [checkpoint, inner, inner.shape];
  }

  get check(): NonNullable<Sequence['check']> | null {
    return this.inner.check ?? null;
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

  /** Of what is made and the watch over it neither outlives this call, and the failure of each is met. */
  async extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    let end = (): void => {};
    const ended = new Promise<'ended'>((resolve) => {
      end = () => resolve('ended');
    });
    const [made, watched] = await Promise.allSettled([
      this.inner.extend(count, moments, check, onStep).finally(end),
      this.watch(ended),
    ]);
    if (watched.status === 'rejected') throw watched.reason;
    // A device that failed as the run was to end is said first.
    if (made.status === 'rejected' && !(made.reason instanceof StoppedError)) throw made.reason;
    if (watched.value || made.status === 'rejected') throw new StoppedError();
  }

  stop(why?: Error): Promise<void> {
    return this.inner.stop!(why);
  }

  free(): void {
    this.inner.free();
  }

  /** Until the blocks are here; whether the run was ended meanwhile. Where it cannot be kept they end, too. */
  private async watch(ended: Promise<'ended'>): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () =>
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, POLL);
      });
    try {
      while ((await Promise.race([ended, wait()])) !== 'ended') {
        const due = await this.checkpoint.due();
        if (due === 'no') continue;
        await this.checkpoint.keepAll(async () => {}); // where it stands
        if (due === 'keep') continue;
        await this.stop();
        return true;
      }
      return false;
    } catch (error) {
      await this.stop(error as Error).catch(() => undefined); // the devices fail for the same reason, or another
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
