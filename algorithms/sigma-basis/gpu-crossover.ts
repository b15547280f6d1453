/**
 * The sizes from which sigma-basis on a GPU is faster than on threads, of a sub-problem and of a whole search.
 *
 *   R × n blocks, `orders` orders
 *
 * A GPU does the products of the levels above CROSSOVER. The cost of a level grows with R²·n·orders on threads; on the
 * GPU it is a few milliseconds a sub-problem, whatever R and n are. So the GPU pays from R²·n·levels = GAIN a thread
 * on, for MOST threads at most, because more hardly speed up an order basis.
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
