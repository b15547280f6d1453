/**
 * Seconds that one of many like steps takes on a device.
 *
 *   T(c) : seconds of c steps at once, what a call takes whatever it does included      T(1) : of a call of one
 *   each = (T(c) − T(1)) / (c − 1), the mean of some pieces: waits of threads are in a run, too
 *
 * Kernels are compiled in the first calls, and a GPU that slept takes some tenths of a second to wake, in which a step
 * takes several times as long. So nothing counts before steps have been made for a while and a call of c is long
 * enough; and what counted is dropped where the next piece is far quicker.
 */

/** The share of the budget that a piece takes at least, so that calls are little of it. */
const PIECE = 0.1;

const GROWTH = 3;

/** Seconds of steps before they count, or the budget if that is less (test/bench/RESULTS.md#gpu-plans). */
const WAKING = 0.25;

/** A piece so much quicker than those before it says that the device was still waking. */
const QUICKER = 0.5;

/** `work(c)` does c steps, `most` at most; seconds by `now`. Takes some `budget` seconds, and a few steps at least. */
export async function secondsEach(
  work: (count: number) => Promise<void>,
  budget: number,
  most: number,
  now: () => number = () => performance.now() / 1000,
): Promise<number> {
  const timed = async (count: number): Promise<number> => {
    const start = now();
    await work(count);
    return now() - start;
  };
  await timed(2); // the kernels of a first step and of those behind it
  const start = now();
  let alone = await timed(1);
  let count = 2;
  for (;;) {
    const isLong = (await timed(count)) >= PIECE * budget || count === most;
    if (isLong && now() - start >= Math.min(WAKING, budget)) break;
    if (!isLong) count = Math.min(most, GROWTH * count);
  }
  alone = Math.min(alone, await timed(1));
  const counted = now();
  let pieces: number[] = [];
  while (pieces.length === 0 || now() - counted < budget) {
    const seconds = await timed(count);
    const each = Math.max(0, seconds - alone) / (count - 1);
    if (each < QUICKER * meanOf(pieces)) pieces = [];
    pieces.push(each);
    if (seconds < PIECE * budget) count = Math.min(most, GROWTH * count);
  }
  return meanOf(pieces);
}

/** 0 of none. */
function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
}
