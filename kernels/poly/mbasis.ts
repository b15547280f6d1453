/** The host's side of kernels/poly/mbasis.as.ts: memory for one base case of sigma-basis. */

import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './mbasis-layout.js';
import { allocPoly, groupsOf, type PolyMatrix } from './poly-matrix.js';

// Vectors times pivots of a base case whose orders cost less than a meeting of threads.
const SMALL_ORDER = 8000;

/**
 * Runs a thread, of G and of P (mbasis-updates.as.ts). More runs of G make thread 0's share of an order shorter
 * (test/bench/RESULTS.md#base-case-runs).
 */
const RUNS = 2;

/** P with P·g ≡ 0 mod z^(length of g), R × (R − rhsRows); degrees (one a row) are raised in place. */
export function baseCase(
  team: Team,
  field: number, // address of the constants, kernels/residues/field-words.ts
  g: PolyMatrix,
  degrees: Int32Array,
  rhsRows: number,
): PolyMatrix {
  const memory = team.memory;
  const { rows, cols: n, length: orders } = g;
  const w = groupsOf(n);
  const pGroups = groupsOf(rows - rhsRows);
  // Vectors that one order changes, times pivots.
  const alone = team.threads === 1 || rows * n * (pGroups + w) * orders < SMALL_ORDER;
  const most = alone ? 1 : RUNS * team.threads;
  const ofG = Math.max(1, Math.min(most, orders));
  const ofP = Math.min(most, pGroups);
  const runBytes = lines(L.RUN_HEAD + 4 * rows);
  const recordBytes = lines(8 + 4 * (n + rows) + 16 + 4 * rows * Math.max(4 * w, n + 3));
  const own = L.BASIS_HEAD + 16 * (w + 1 + 3 * w + Math.ceil(n / 2) * L.TILE) + 4 * (n + 1);
  const sizes = {
    degrees: 4 * (rows + 1), // and the length of P
    work: 16 * rows * (orders * w + 4 + (2 * orders + 1) * pGroups),
    runs: L.RUN_HEAD + (ofG + ofP) * runBytes,
    lists: 12 * rows,
    records: orders * recordBytes,
    plan: 4 * rows + 64 + 16 * (n + 1) * w,
    own: lines(own) * team.threads,
  };
  const bytes = Object.values(sizes).map(lines);
  const [basis, at] = memory.orNothing(() => [
    allocPoly(memory, rows, rows - rhsRows, orders + 1),
    memory.alloc(bytes.reduce((sum, each) => sum + each, 0)),
  ]);
  const [degreesAt, work, runs, lists, records, plan, owns] = bytes.map(
    (_, i) => at + bytes.slice(0, i).reduce((sum, each) => sum + each, 0),
  );
  const words = memory.i32(degreesAt, rows + 1);
  words.set(degrees);
  // biome-ignore format: a line a group of words
  const args = argumentList(
    [L.P, basis.at], [L.P_GROUPS, pGroups], [L.P_STRIDE, basis.stride], [L.G, g.at], [L.G_STRIDE, g.stride],
    [L.ROWS, rows], [L.RHS_ROWS, rhsRows], [L.N, n], [L.ORDERS, orders],
    [L.DEGREES, degreesAt!], [L.LENGTH, degreesAt! + 4 * rows], [L.FIELD, field],
    [L.SPIN, team.spin], [L.RUNS_OF_G, ofG], [L.RUNS_OF_P, ofP],
    [L.WORK, work!], [L.RUNS, runs!], [L.RUN_BYTES, runBytes], [L.LISTS, lists!],
    [L.RECORDS, records!], [L.RECORD_BYTES, recordBytes], [L.PLAN, plan!], [L.OWN, owns!], [L.OWN_BYTES, lines(own)],
  );
  team.launch('mbasis', args, alone);
  degrees.set(words.subarray(0, rows));
  const length = words[rows]!;
  memory.release(at);
  return { ...basis, length };
}

/** Bytes in whole cache lines. */
function lines(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}
