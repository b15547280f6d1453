/**
 * Ranks of small sparse matrices mod p, one after another, on the calling thread: the sibling of
 * kernels/dense/small-rank.as.ts. Its memory is that of the largest matrix, and stays for the next one.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { polyField } from '../residues/field-words.js';
import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import { LONGEST, MOST_CELLS, type SmallMatrix } from './small-matrix.js';
import * as L from './small-rank-layout.js';

export interface SmallRank {
  readonly rank: number;
  /** What was made dense in the end. */
  readonly dense: readonly [rows: number, cols: number];
}

const [WORD, CELL_BYTES] = [4, 4 * (MOST_CELLS + 3 * LONGEST)];

export class SmallRanks {
  readonly #team: Team;
  readonly #entries: readonly [rows: number, cols: number, values: number];
  readonly #places: readonly number[];
  #field: { readonly p: number; readonly at: number } | null = null;

  /** Takes memory until it is released. */
  constructor(team: Team) {
    const { memory } = team;
    this.#team = team;
    // Rows of the pattern have ⌈cols / 64⌉ words of 64 bits.
    const sizes = [CELL_BYTES, CELL_BYTES, MOST_CELLS / 8 + 8 * LONGEST, 4 * LONGEST * WORD, L.OUT_WORDS * WORD];
    const lists = [MOST_CELLS * WORD, MOST_CELLS * WORD, MOST_CELLS * WORD];
    const places = memory.orNothing(() => [...sizes, ...lists].map((bytes) => memory.alloc(bytes)));
    this.#places = places;
    this.#entries = places.slice(sizes.length) as [number, number, number];
  }

  /** rank A mod p; isSmallMatrix holds. */
  rank(field: WordPrime, { rows, cols, rowIdx, colIdx, values }: SmallMatrix): SmallRank {
    const { memory } = this.#team;
    const [cells, dense, pattern, counts, out] = this.#places as [number, number, number, number, number];
    const [rowsAt, colsAt, valuesAt] = this.#entries;
    const nnz = rowIdx.length;
    memory.u32(rowsAt, nnz).set(rowIdx);
    memory.u32(colsAt, nnz).set(colIdx);
    memory.i32(valuesAt, nnz).set(values);
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.ROWS, rows], [L.COLS, cols], [L.NNZ, nnz], [L.ROW_IDX, rowsAt], [L.COL_IDX, colsAt], [L.VALUES, valuesAt],
      [L.CELLS, cells], [L.DENSE, dense], [L.PATTERN, pattern], [L.COUNTS, counts], [L.FIELD, this.#constants(field)], [L.OUT, out],
    );
    this.#team.launch('smallRank', args, true);
    const [rank, height, width] = memory.u32(out, L.OUT_WORDS) as unknown as [number, number, number];
    return { rank, dense: [height, width] };
  }

  release(): void {
    for (const at of this.#places) this.#team.memory.release(at);
    if (this.#field) this.#team.memory.release(this.#field.at);
    this.#field = null;
  }

  #constants(field: WordPrime): number {
    if (this.#field?.p === field.p) return this.#field.at;
    if (this.#field) this.#team.memory.release(this.#field.at);
    this.#field = null;
    const at = polyField(this.#team.memory, field);
    this.#field = { p: field.p, at };
    return at;
  }
}
