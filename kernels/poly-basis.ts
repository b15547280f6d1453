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
  const lists = Math.ceil(((rows * 4 + n * 5) * 4) / 64) * 64;
  const vectors = w + rows * w + n * 2 * w + 2 * w;
  const perThread = Math.ceil((lists + vectors * 16) / 64) * 64;
  const copyBytes = rows * w * orders * 16;
  const degreeBytes = Math.ceil((rows * 4 + 4) / 64) * 64;
  const at = memory.alloc(degreeBytes + copyBytes + perThread * team.threads + rows * 4);
  const words = memory.i32(at, rows + 1);
  words.set(degrees);
  const args = [
    ...[basis.at, groupsOf(basis.cols), basis.stride],
    ...[g.at, g.stride, at + degreeBytes],
    ...[rows, passengers, n, orders],
    ...[at, at + degreeBytes + copyBytes, perThread, field, at + 4 * rows],
  ];
  // Vectors that one order changes, times pivots; the threads meet once an order.
  if (rows * n * (groupsOf(basis.cols) + w) * orders < SMALL_ORDER) team.runAlone('polyBasis', ...args);
  else team.run('polyBasis', ...args);
  degrees.set(words.subarray(0, rows));
  const length = words[rows]!;
  memory.release(at);
  return { ...basis, length };
}
