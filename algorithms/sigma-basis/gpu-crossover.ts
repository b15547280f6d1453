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
 * Orders up to which the threads take a sub-problem. 8192 orders of R = 80, n = 16 took 1.08, 0.89 and 0.81 s with 32,
 * 64 and 128 on one H200 beside 16 threads of a Xeon (2026-11-22), 2048 orders 0.24, 0.20 and 0.21 s.
 */
export const CROSSOVER = 128;

// There, p = 65521: even at R = 52, n = 16 and 2048 orders (4 levels: 11000), a tenth faster at R = 80 and 2048, a
// fifth at 8192.
const GAIN = 15_000;

// R = 52, n = 16 and 16384 orders on a host of 32 threads: 16 threads 2.93 s, 31 threads 2.52, with the GPU 1.16 and
// 1.29.
const MOST = 18;

export function paysOnGpu(rows: number, cols: number, orders: number, threads: number): boolean {
  return rows * rows * cols * Math.log2(orders / CROSSOVER) > GAIN * Math.min(threads, MOST);
}
