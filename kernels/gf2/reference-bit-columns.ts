/** 64 columns over F_2 in plain loops, bit by bit: what the kernels are compared with. */
import * as shapes from '../checks.js';
import type { BitColumns, BlockVector, Operator } from '../executor.js';
import { type ResidueMatrix, transpose } from '../sparse/residue-matrix.js';

class Bits implements BlockVector {
  readonly width = 64;
  readonly length: number;
  readonly words: Uint32Array; // two a row

  constructor(length: number) {
    this.length = length;
    this.words = new Uint32Array(2 * length);
  }
}

const wordsOf = (v: BlockVector): Uint32Array => {
  if (!(v instanceof Bits)) throw new shapes.ShapeError('expected a vector of bits of the reference executor');
  return v.words;
};

const bitOf = (words: Uint32Array, row: number, column: number): number =>
  (words[2 * row + (column >> 5)]! >>> (column & 31)) & 1;

export class ReferenceBitColumns implements BitColumns {
  vector(length: number): BlockVector {
    shapes.checkSize('vector', length);
    return new Bits(length);
  }

  write(v: BlockVector, words: Uint32Array): void {
    shapes.checkBits('write', v, words);
    wordsOf(v).set(words);
  }

  read(v: BlockVector): Uint32Array {
    return wordsOf(v).slice();
  }

  copy(to: BlockVector, from: BlockVector): void {
    shapes.checkSameShape('copy', to, from);
    wordsOf(to).set(wordsOf(from));
  }

  release(_v: BlockVector): void {}

  operator(matrix: ResidueMatrix): Operator {
    const { rows, cols } = matrix;
    const transposed = transpose(matrix);
    const operator: Operator = {
      rows,
      cols,
      apply: (y, x) => {
        shapes.checkApply('apply', operator, false, y, x, y === x);
        addRows(matrix, wordsOf(y), wordsOf(x));
      },
      applyTransposed: (y, x) => {
        shapes.checkApply('applyTransposed', operator, true, y, x, y === x);
        addRows(transposed, wordsOf(y), wordsOf(x));
      },
    };
    return operator;
  }

  axpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    shapes.checkSameShape('axpy', y, x);
    const [to, from] = [wordsOf(y), wordsOf(x)];
    for (let i = 0; i < y.length; i++) {
      for (let t = 0; t < 64; t++) {
        if (bitOf(from, i, t) === 0) continue;
        to[2 * i] ^= a[2 * t]!;
        to[2 * i + 1] ^= a[2 * t + 1]!;
      }
    }
  }

  dot(x: BlockVector, z: BlockVector): Uint32Array {
    shapes.checkSameShape('dot', x, z);
    const [left, right] = [wordsOf(x), wordsOf(z)];
    const out = new Uint32Array(128);
    for (let i = 0; i < x.length; i++) {
      for (let t = 0; t < 64; t++) {
        if (bitOf(left, i, t) === 0) continue;
        out[2 * t] ^= right[2 * i]!;
        out[2 * t + 1] ^= right[2 * i + 1]!;
      }
    }
    return out;
  }

  dispose(): void {}
}

/** y ← A·x */
function addRows({ rowPtr, colIdx }: ResidueMatrix, y: Uint32Array, x: Uint32Array): void {
  y.fill(0);
  for (let i = 0; i + 1 < rowPtr.length; i++) {
    for (let k = rowPtr[i]!; k < rowPtr[i + 1]!; k++) {
      y[2 * i] ^= x[2 * colIdx[k]!]!;
      y[2 * i + 1] ^= x[2 * colIdx[k]! + 1]!;
    }
  }
}
