/**
 * The shares of a sequence's columns side by side (krylov-columns.ts):
 *
 *   S_i : m × n, its columns from share j's blocks of m × n_j      T_i likewise
 *
 * The shares keep their blocks: what was joined is compared with them, and they with what their devices have checked.
 */
import { type BlockList, GrowingBlocks } from './growing-blocks.js';
import type { Sequence } from './krylov.js';
import { type KrylovShape, searchedBlocks } from './krylov-steps.js';

export class SplitSequence implements Sequence {
  readonly shape: KrylovShape;
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  private readonly shares: readonly Sequence[];

  /** The shares' columns in their order; they are freed with this sequence. */
  constructor(shares: readonly Sequence[]) {
    this.shares = shares;
    const n = shares.reduce((sum, { shape }) => sum + shape.n, 0);
    const { m, s, shift } = shares[0].shape;
    this.shape = { m, n, s, shift };
    this.s = new GrowingBlocks(m * n);
    this.t = new GrowingBlocks(s * n);
  }

  get adjoint(): boolean | null {
    const found = this.shares.map(({ adjoint }) => adjoint);
    return found.includes(null) ? null : !found.includes(false);
  }

  get seconds(): number {
    return Math.max(...this.shares.map(({ seconds }) => seconds));
  }

  /** When a share fails the others end at their next step, and its error is thrown. */
  async extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    let failure: { error: unknown } | undefined;
    const goOn = (): void => {
      if (failure) throw failure.error;
      check();
    };
    const reached = this.shares.map(() => this.s.count);
    await Promise.all(
      this.shares.map(async (share, j) => {
        const step = (done: number): void => {
          reached[j] = done;
          this.joinKnown(); // while the devices go on
          onStep(Math.min(...reached));
        };
        await share.extend(count, moments, goOn, step).catch((error: unknown) => {
          failure ??= { error };
        });
      }),
    );
    if (failure) throw (failure as { error: unknown }).error;
    this.joinKnown();
  }

  get check(): NonNullable<Sequence['check']> {
    const { shape, shares } = this;
    const recheck = (blocks: BlockList): boolean =>
      areHeld(shares) && areJoined(blocks, shape.n, shares.map(searchedBlocks));
    return { ...checksOf(shares), recheck };
  }

  async stop(why?: Error): Promise<void> {
    await stopAll(this.shares, why);
  }

  free(): void {
    for (const share of this.shares) share.free();
  }

  private joinKnown(): void {
    joinShares(this, this.shares);
  }
}

/** Each has kept what it has made, but those that fail: the first failure is thrown behind that. */
export async function stopAll(shares: readonly Sequence[], why?: Error): Promise<void> {
  const stopped = await Promise.allSettled(shares.map((share) => share.stop?.(why)));
  for (const each of stopped) if (each.status === 'rejected') throw each.reason;
}

/** Intervals that were checked in all shares. */
export function checksOf(shares: readonly Sequence[]): { readonly passed: number; readonly failed: number } {
  const sum = (which: 'passed' | 'failed'): number => shares.reduce((all, { check }) => all + (check?.[which] ?? 0), 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

/** Whether the blocks of all shares are those that were checked, where they were. */
export function areHeld(shares: readonly Sequence[]): boolean {
  return shares.every((share) => share.check?.recheck(searchedBlocks(share)) ?? true);
}

/** Whether blocks, S with T below it and rows of n, are those of the parts side by side, which have as many or more. */
export function areJoined(blocks: BlockList, n: number, parts: readonly BlockList[]): boolean {
  for (let i = 0; i < blocks.count; i++) {
    const block = blocks.at(i);
    const rows = block.length / n;
    let first = 0;
    for (const part of parts) {
      const own = part.at(i);
      const width = own.length / rows;
      if (!areColumns(block, n, own, width, first)) return false;
      first += width;
    }
  }
  return true;
}

// Loops of their own: V8 compiles each once, instead of its caller with all that it calls.

/** Whether columns first … first + width − 1 of a block, whose rows have n words, are those of `part`. */
function areColumns(block: Uint32Array, n: number, part: Uint32Array, width: number, first: number): boolean {
  for (let row = first, at = 0; at < part.length; row += n) {
    for (let j = 0; j < width; j++) if (block[row + j] !== part[at++]) return false;
  }
  return true;
}

/** Takes in the blocks that all shares have. */
export function joinShares({ shape, s, t }: Sequence, shares: readonly Sequence[]): void {
  joinColumns(
    s,
    shape.n,
    shares.map((share) => share.s),
  );
  joinColumns(
    t,
    shape.n,
    shares.map((share) => share.t),
  );
}

/**
 * Extends `out` by the blocks that all parts have beyond it: rows of n elements from rows of the parts, in their order.
 */
export function joinColumns(out: GrowingBlocks, n: number, parts: readonly BlockList[]): void {
  const rows = out.size / n;
  const block = new Uint32Array(out.size);
  const known = Math.min(...parts.map(({ count }) => count));
  while (out.count < known) {
    let first = 0;
    for (const part of parts) {
      const from = part.at(out.count);
      const width = from.length / rows;
      for (let r = 0, at = 0; r < rows; r++) {
        for (let j = 0; j < width; j++) block[r * n + first + j] = from[at++];
      }
      first += width;
    }
    out.push(block);
  }
}
