/**
 * Where sigma-basis on a GPU begins to pay beside threads: the size of the sub-problems that go to them, and of a
 * whole.
 *
 *   R × n blocks, `orders` orders
 *
 * A GPU does the products of the levels above CROSSOVER. What a level costs the threads grows with R²·n·orders; what it
 * costs the GPU, a few milliseconds for each sub-problem that goes down and up, with orders alone. So it pays from
 * R²·n·levels = GAIN a thread on, of MOST threads: more hardly speed up what they do.
 */

/**
 * Orders up to which the threads take a sub-problem (test/bench/RESULTS.md#crossover).
 */
export const CROSSOVER = 128;

// R²·n·levels a thread from which a GPU is faster than the threads (test/bench/RESULTS.md#crossover).
const GAIN = 15_000;

// Threads beyond these add little to an order basis (test/bench/RESULTS.md#crossover).
const MOST = 18;

export function paysOnGpu(rows: number, cols: number, orders: number, threads: number): boolean {
  return rows * rows * cols * Math.log2(orders / CROSSOVER) > GAIN * Math.min(threads, MOST);
}
