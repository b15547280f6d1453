/**
 * Where sigma-basis on a GPU begins to pay beside threads: the size of the sub-problems that go to them, and of a whole.
 *
 *   R × n blocks, `orders` orders
 *
 * A GPU does the products of the levels above CROSSOVER. What a level costs the threads grows with R²·n·orders; what it costs
 * the GPU, a few milliseconds for each sub-problem that goes down and up, with orders alone. So it pays from
 * R²·n·levels = GAIN a thread on.
 */

/** Orders up to which the threads take a sub-problem. */
export const CROSSOVER = 64;

// One H200 beside 16 threads of a Xeon, p = 65521, 2026-11-21: even at R = 80, n = 16 and 1000 orders, 4 levels.
const GAIN = 25_000;

export function paysOnGpu(rows: number, cols: number, orders: number, threads: number): boolean {
  return rows * rows * cols * Math.log2(orders / CROSSOVER) > GAIN * threads;
}
