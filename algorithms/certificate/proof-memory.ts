/**
 * Bytes that making a certificate takes beside the matrix as it was read, estimated from sizes before it begins.
 *
 *   A' : m' × n', nnz entries      r : the rank      N : r without the pivots that are kept
 *   s : answers, of both bounds
 *   k : numbers that an element of GF(q) takes
 *
 * All of it follows the entries: m' and n' are at most nnz.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { ENTRY_BYTES, type ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { numbersAnElement } from '../block-wiedemann/extension-degree.js';
import { wiedemannBytes } from '../methods/memory-estimate.js';
import { certificateField } from './certificate-field.js';
import { challengeCount } from './challenges.js';

/** A', its transpose, and both with the pivots' identity beside them. */
const MATRIX_ENTRY = 4 * ENTRY_BYTES;

/** The two maps, two entries a line: place, line, factor, the words they come from and the kernels' form. */
const LINE_BYTES = 64;

/** An element of an answer: the word, its base64 in the parts, in the text and in what is read back. */
const ANSWER_BYTES = 4 + 3 * 6 + 4;

export interface ProofSize {
  readonly r: number;
  readonly bounds: 'both' | 'lower';
}

/** Bytes of every certificate: the matrix in both directions, maps, challenges, answers and their text. */
export function ownBytes(field: WordPrime, a: ResidueMatrix, { r, bounds }: ProofSize): number {
  const s = answers(field, bounds);
  const lines = a.rows + a.cols;
  const vectors = 4 * (numbersAnElement(field.p, 'column') + 1) * s * (lines + 2 * r);
  return MATRIX_ENTRY * a.colIdx.length + LINE_BYTES * lines + vectors + ANSWER_BYTES * s * r;
}

/** Bytes of block Wiedemann for all right sides, with maps of N rows; 0 where the maps keep pivots alone. */
export function compressingBytes(field: WordPrime, a: ResidueMatrix, N: number, bounds: 'both' | 'lower'): number {
  if (N === 0) return 0;
  const k = numbersAnElement(field.p, 'column');
  // The maps have two entries a line of A' beside the matrix itself, over GF(q).
  const maps = 2 * k * k * (a.rows + a.cols);
  return wiedemannBytes(field, N, N, a.colIdx.length + maps, { draw: 'column', s: answers(field, bounds) });
}

function answers({ p }: WordPrime, bounds: 'both' | 'lower'): number {
  return challengeCount(certificateField(p).q) * (bounds === 'both' ? 2 : 1);
}
