/** Determinants of many small dense matrices mod p on the team: the sibling of kernels/dense/determinants.as.ts. */
import type { WordPrime } from '../../fields/word-prime.js';
import { groupsOf } from '../poly/poly-matrix.js';
import { polyField } from '../residues/field-words.js';
import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './determinants-layout.js';

/**
 * Matrices a command. A run can be cancelled between two commands, and V8's optimised code serves from the next one on.
 */
const PIECE = 256;

/** det of each s × s matrix of canonical residues, row-major one after another; `matrices` stays as it is. */
export function determinants(team: Team, field: WordPrime, matrices: Uint32Array, s: number): Uint32Array {
  const { memory } = team;
  const groups = groupsOf(s);
  const count = s === 0 ? 0 : matrices.length / (s * s);
  if (!Number.isInteger(count)) throw new RangeError(`determinants: expected whole ${s} × ${s} matrices`);
  const rows = count * s;
  const at = memory.alloc(rows * groups * 16);
  const out = memory.alloc(count * 4);
  const constants = polyField(memory, field);
  const words = memory.u32(at, rows * groups * 4);
  if (4 * groups === s) words.set(matrices);
  else {
    words.fill(0); // the lanes beyond column s − 1
    for (let r = 0; r < rows; r++) words.set(matrices.subarray(r * s, (r + 1) * s), r * groups * 4);
  }
  for (let first = 0; first < count; first += PIECE) {
    const [from, to] = [at + first * s * groups * 16, out + first * 4];
    // biome-ignore format: a line a group of words
    team.launch('determinants', argumentList(
      [L.MATRICES, from], [L.SIZE, s], [L.COUNT, Math.min(PIECE, count - first)], [L.OUT, to], [L.FIELD, constants],
    ), false);
  }
  const values = memory.u32(out, count).slice();
  for (const address of [at, out, constants]) memory.release(address);
  return values;
}
