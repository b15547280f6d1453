/**
 * The M-basis kernel's sibling: memory for one base case of sigma-basis (kernels/wasm/poly-basis.ts says what it does).
 */
import { allocPoly, groupsOf, type PolyMatrix } from './poly-matrix.js';
import type { Team } from './team.js';

// About 2 µs an order: less than that is not worth a barrier.
const SMALL_ORDER = 8000;

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
  const planBytes = lines(20 + 12 * (rows + n)) + lines(16 * (1 + (n + 1) * 2 * w));
  const threadBytes = lines(128 + 16 * (6 * w + 2 + rows * w) + 4 * (n + 1 + rows));
  const workBytes = lines(16 * rows * (orders * w + (2 * orders + 1) * pGroups));
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
