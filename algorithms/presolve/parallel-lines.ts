/**
 * Rows that are multiples of other rows mod p: they carry no rank, and matrices of meshes, codes and programs have many
 * (test/bench/RESULTS.md#parallel-lines).
 *
 *   h(i) = Σ_j mix(j) over the columns of row i      g(i) : the same of (j, A[i, j] / first entry of the row)
 *
 * Parallel rows have one pattern, so the values of a row are looked at only when its h was met before, by a table of
 * eight places a row: elsewhere the search costs two multiplications an entry. Rows of one g are compared entry by
 * entry, so that a collision can hide a parallel row but never drop another. Dropping rows makes no columns parallel
 * that were not.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

const PLACES = 8; // of the table, a row

/**
 * Entries from which on a sixteenth of the rows is searched first: a search through all rows mostly costs more than it
 * saves. Rows without such a share of that part's entries are not worth a copy of the matrix without them.
 */
const MANY = 2 ** 17;
const PART = 16;
const WORTH = 1 / 256;

/**
 * Of classes of parallel rows all but the first, marked with 1; null without any, or where a large matrix has few.
 */
export function parallelRows(F: WordPrime, a: ResidueMatrix): Uint8Array | null {
  if (a.colIdx.length > MANY) {
    const part = nonemptyRows(a, PART);
    const found = findParallel(F, a, part);
    if (found === null || entriesOf(a, part, found) < WORTH * entriesOf(a, part)) return null;
  }
  return findParallel(F, a, nonemptyRows(a, 1));
}

/** Entries of these lines, or of those among them that are marked. */
function entriesOf({ rowPtr }: ResidueMatrix, lines: Uint32Array, marks?: Uint8Array): number {
  return lines.reduce((sum, i) => sum + (marks === undefined || marks[i] === 1 ? rowPtr[i + 1] - rowPtr[i] : 0), 0);
}

function findParallel(F: WordPrime, a: ResidueMatrix, lines: Uint32Array): Uint8Array | null {
  const { rows, rowPtr, colIdx, values } = a;
  const candidates = sharePatterns(a, lines);
  const factors = F.batchInv(candidates.map((i) => values[rowPtr[i]]));
  const first = new Map<number, number>(); // g → place among the candidates
  let parallel: Uint8Array | null = null;
  candidates.forEach((i, t) => {
    let g = 0;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      g = Math.imul(g ^ mix(colIdx[k]), 0x2c1b3c6d) + F.mul(values[k], factors[t]);
    }
    const met = first.get(g);
    if (met === undefined) first.set(g, t);
    else if (areParallel(F, a, candidates[met], factors[met], i, factors[t])) {
      parallel ??= new Uint8Array(rows);
      parallel[i] = 1;
    }
  });
  return parallel;
}

/**
 * One part in `parts` of them, a power of 2: parallel rows begin and end at the same columns, which choose the part.
 */
function nonemptyRows({ rows, rowPtr, colIdx }: ResidueMatrix, parts: number): Uint32Array {
  const lines = new Uint32Array(rows);
  return lines.subarray(0, listRows(rowPtr, colIdx, parts, lines));
}

/** Their number; a loop of its own: kernels/sparse/residue-matrix.ts. */
function listRows(rowPtr: Uint32Array, colIdx: Uint32Array, parts: number, lines: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < lines.length; i++) {
    const begin = rowPtr[i];
    const end = rowPtr[i + 1];
    if (begin === end) continue;
    const ends = mix((Math.imul(colIdx[begin], 31) + colIdx[end - 1]) | 0);
    if ((ends & (parts - 1)) === 0) lines[count++] = i;
  }
  return count;
}

/** The lines whose h fell on a place where another one fell. */
function sharePatterns({ rowPtr, colIdx }: ResidueMatrix, lines: Uint32Array): Uint32Array {
  const shift = Math.max(4, Math.clz32(PLACES * lines.length));
  const met = new Uint8Array(2 ** (32 - shift));
  const place = lines.map((i) => {
    let h = 0;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) h += mix(colIdx[k]);
    return mix(h) >>> shift;
  });
  for (const at of place) if (met[at] < 2) met[at]++;
  return lines.filter((_, t) => met[place[t]] > 1);
}

/** 32 bits that depend on all of x, the finisher of MurmurHash3 (Appleby 2011) shortened. */
function mix(x: number): number {
  const y = Math.imul((x + 1) ^ (x >>> 16), 0x85ebca6b);
  return Math.imul(y ^ (y >>> 13), 0xc2b2ae35);
}

function areParallel(F: WordPrime, a: ResidueMatrix, i: number, ofI: number, j: number, ofJ: number): boolean {
  const { rowPtr, colIdx, values } = a;
  const [start, length] = [rowPtr[i], rowPtr[i + 1] - rowPtr[i]];
  if (rowPtr[j + 1] - rowPtr[j] !== length) return false;
  for (let k = start, l = rowPtr[j]; k < start + length; k++, l++) {
    if (colIdx[k] !== colIdx[l] || F.mul(values[k], ofI) !== F.mul(values[l], ofJ)) return false;
  }
  return true;
}
