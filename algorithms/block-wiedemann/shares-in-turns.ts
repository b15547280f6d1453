/**
 * Shares of a sequence that are more than the devices for them: a device makes one as far as blocks are asked for,
 * keeps it, and goes on with another, from where that was kept.
 */
import { StoppedError } from '../checkpoint/store.js';
import { LostSequenceError } from './check-errors.js';
import { type BlockList, GrowingBlocks } from './growing-blocks.js';
import { JoinedSums } from './kept-parts.js';
import type { Sequence } from './krylov.js';
import type { SequenceDevice, SequenceTask, Share } from './krylov-columns.js';
import { type KrylovShape, searchedBlocks } from './krylov-steps.js';
import { areHeld, areJoined, checksOf, joinShares, stopAll } from './split-sequence.js';

export class SharesInTurns implements Sequence {
  readonly shape: KrylovShape;
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  adjoint: boolean | null = null;
  seconds = 0;
  /** What was joined is compared with what it was. */
  readonly check = { passed: 0, failed: 0, recheck: (blocks: BlockList) => this.sums.hold(blocks) };
  private readonly sums = new JoinedSums();
  private readonly devices: readonly SequenceDevice[];
  private readonly shares: readonly Share[];
  private readonly going = new Set<Sequence>();
  private failure: { readonly error: unknown } | undefined;

  constructor(devices: readonly SequenceDevice[], shares: readonly Share[], { shape }: SequenceTask) {
    [this.devices, this.shares, this.shape] = [devices, shares, shape];
    this.s = new GrowingBlocks(shape.m * shape.n);
    this.t = new GrowingBlocks(shape.s * shape.n);
  }

  /** When a share fails the others end at their next step, and its error is thrown. */
  async extend(count: number, _moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    if (count <= this.s.count) return;
    const { devices, shares } = this;
    const made: Sequence[] = [];
    const reached = shares.map(() => 0);
    const step = (j: number, done: number): void => {
      reached[j] = Math.min(done, count);
      onStep(Math.floor(reached.reduce((sum, each) => sum + each, 0) / shares.length));
    };
    let next = 0;
    const seconds = await Promise.all(
      devices.map(async (device) => {
        let own = 0;
        try {
          while (next < shares.length && !this.failure) {
            const j = next++;
            made[j] = await this.make(device, shares[j], count, check, (done) => step(j, done));
            own += made[j].seconds;
          }
        } catch (error) {
          this.failure ??= { error };
        }
        return own;
      }),
    );
    if (this.failure) throw this.failure.error;
    this.seconds += Math.max(...seconds);
    const { count: first } = searchedBlocks(this);
    joinShares(this, made);
    const joined = searchedBlocks(this);
    this.sums.add(joined, first);
    // They were held while others were made, and joined before there were sums.
    if (!areHeld(made) || !areJoined(joined, this.shape.n, made.map(searchedBlocks))) {
      this.check.failed++;
      throw new LostSequenceError();
    }
    const { passed, failed } = checksOf(made);
    this.check.passed += passed;
    this.check.failed += failed;
    const found = made.map(({ adjoint }) => adjoint);
    this.adjoint = found.includes(null) ? null : !found.includes(false);
  }

  /** The share's first `count` blocks, which are kept. */
  private async make(
    device: SequenceDevice,
    { task, kept, remark }: Share,
    count: number,
    check: () => void,
    onStep: (done: number) => void,
  ): Promise<Sequence> {
    const sequence = await device.start({ ...task, length: count }, kept, remark);
    const goOn = (): void => {
      if (this.failure) throw this.failure.error;
      check();
    };
    this.going.add(sequence);
    try {
      goOn();
      await sequence.extend(count, task.moments, goOn, onStep);
      await sequence.stop!();
      return sequence;
    } finally {
      this.going.delete(sequence);
      sequence.free();
    }
  }

  async stop(why: Error = new StoppedError()): Promise<void> {
    this.failure ??= { error: why };
    await stopAll([...this.going], why);
  }

  /** Holds nothing on a device between two questions. */
  free(): void {}
}
