/**
 * The M-basis kernel's sibling: memory for one base case of sigma-basis (kernels/wasm/poly-basis.ts says what it does).
 */
import { allocPoly, groupsOf, type PolyMatrix } from './poly-matrix.js';
import type { Team } from './team.js';

// About 2 µs an order: less than that is not worth a barrier.
const SMALL_ORDER = 8000;

const TILE = 32; // of kernels/wasm/poly-digits.ts

/** P with P·g ≡ 0 mod z^(length of g), R × (R − passengers); degrees (one a row) are raised in place. */
export function baseCase(
  team: Team,
  field: number, // address of the constants, kernels/poly-field.ts
  g: PolyMatrix,
  degrees: Int32Array,
  passengers: number,
): PolyMatrix {
  const memory = team.memory;
  const { rows, cols: n, length: orders } = g;
  const w = groupsOf(n);
  const basis = allocPoly(memory, rows, rows - passengers, orders + 1);
  const pGroups = groupsOf(basis.cols);
  const planBytes = lines(16 + 12 * rows + 4 * n) + lines(16 * (n + 1) * w);
  const own = 128 + 16 * (w + 1 + 2 * w + rows * w + Math.ceil(n / 2) * TILE);
  const threadBytes = lines(own + 4 * (rows * (2 + 2 * Math.ceil(n / 2)) + n + 1 + rows));
  const workBytes = lines(16 * rows * (orders * w + 4 + (2 * orders + 1) * pGroups));
  const degreeBytes = lines(rows * 4 + 4);
  const at = memory.alloc(degreeBytes + workBytes + 2 * planBytes + lines(12 * rows) + threadBytes * team.threads);
  const words = memory.i32(at, rows + 1);
  words.set(degrees);
  const args = [
    ...[basis.at, pGroups, basis.stride],
    ...[g.at, g.stride, at + degreeBytes],
    ...[rows, passengers, n, orders],
    ...[at, at + degreeBytes + workBytes, planBytes, threadBytes, field, at + 4 * rows, team.spin],
  ];
  // Vectors that one order changes, times pivots; the threads meet once an order.
  if (rows * n * (pGroups + w) * orders < SMALL_ORDER) team.runAlone('polyBasis', ...args);
  else team.run('polyBasis', ...args);
  degrees.set(words.subarray(0, rows));
  const length = words[rows]!;
  memory.release(at);
  return { ...basis, length };
}

/** Bytes in whole cache lines. */
function lines(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}
