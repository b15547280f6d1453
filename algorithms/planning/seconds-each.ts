/**
 * Seconds that one of many like steps takes on a device.
 *
 *   T(c) : seconds of c steps at once, what a call takes whatever it does included      T(1) : of a call of one
 *   each = (T(c) − T(1)) / (c − 1), the mean of some pieces: waits of threads are in a run, too
 *
 * Kernels are compiled in the first calls, and a GPU that slept takes some tenths of a second to wake, in which a step
 * takes several times as long. So nothing counts before steps have been made for a while and a call of c is long
 * enough; and what counted is dropped where the next piece is far quicker. A step that is longer than the waking and
 * too long for pieces within the budget counts as it is.
 */

/** The share of the budget that a piece takes at least, so that calls are little of it. */
const PIECE = 0.1;

const GROWTH = 3;

/** A piece so much quicker than those before it says that the device was still waking. */
const QUICKER = 0.5;

/** Steps that pieces take at least. */
const LEAST = 7;

/**
 * `work(c)` does c steps, `most` at most; seconds by `now`. Takes `waking` and `budget` seconds once kernels are
 * compiled, and two steps at least.
 */
export async function secondsEach(
  work: (count: number) => Promise<void>,
  budget: number,
  most: number,
  waking: number,
  now: () => number = () => performance.now() / 1000,
): Promise<number> {
  const timed = async (count: number): Promise<number> => {
    const start = now();
    await work(count);
    return now() - start;
  };
  await timed(1); // the kernels of a first step
  let alone = await timed(1);
  if (alone >= waking && LEAST * alone > budget) {
    const calls = [alone];
    while (meanOf(calls) * (calls.length + 1) <= budget) calls.push(await timed(1));
    return meanOf(calls);
  }
  await timed(2); // and those of the steps behind it
  const start = now();
  let count = 2;
  for (;;) {
    const isLong = (await timed(count)) >= PIECE * budget || count === most;
    if (isLong && now() - start >= waking) break;
    if (!isLong) count = Math.min(most, GROWTH * count);
  }
  alone = Math.min(alone, await timed(1));
  let pieces: number[] = [];
  let last = 0;
  while (pieces.length === 0 || now() - start + last <= waking + budget) {
    last = await timed(count);
    // Where a wait was longer than the piece, what a call takes is not known.
    const each = last > alone ? (last - alone) / (count - 1) : last / count;
    if (each < QUICKER * meanOf(pieces)) pieces = [];
    pieces.push(each);
    if (last < PIECE * budget) count = Math.min(most, GROWTH * count);
  }
  return meanOf(pieces);
}

/** 0 of none. */
function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
}
