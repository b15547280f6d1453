/**
 * Products of a batch of problems, each taken whole by a thread: Y ± X·M, X^T·Z, Y ± A·X and Y ± A^T·X.
 *
 * Problem k has block rows starts[k] … starts[k + 1] − 1 of b rows each, in tall blocks of w columns, row-major.
 */
import { nextChunk } from '../threads/chunks.as';
import * as L from './block-kernels-layout';
import { addProducts, useField, useShape } from './block-tile.as';

/** Y ← Y ± X·M_k */
export function blockAxpy(thread: i32, threads: i32, args: usize): void {
  const width = load<i32>(args, L.WIDTH);
  const rowBytes = <usize>width << 2;
  const zero = load<usize>(args, L.ZERO);
  useField(load<usize>(args, L.FIELD));
  useShape(1, width, width, false, load<u32>(args, L.IS_MINUS) != 0);
  for (let k = nextProblem(args); k >= 0; k = nextProblem(args)) {
    const first = <usize>firstRow(args, k) * rowBytes;
    const rows = firstRow(args, k + 1) - firstRow(args, k);
    const m = load<usize>(args, L.M) + <usize>(k * width) * rowBytes;
    addProducts(load<usize>(args, L.Y) + first, rows, load<usize>(args, L.X) + first, m, 0, zero, 0, 1, -1);
  }
}

/** M_k ← X^T·Y */
export function blockDot(thread: i32, threads: i32, args: usize): void {
  const width = load<i32>(args, L.WIDTH);
  const rowBytes = <usize>width << 2;
  const zero = load<usize>(args, L.ZERO);
  useField(load<usize>(args, L.FIELD));
  for (let k = nextProblem(args); k >= 0; k = nextProblem(args)) {
    const first = <usize>firstRow(args, k) * rowBytes;
    const m = load<usize>(args, L.M) + <usize>(k * width) * rowBytes;
    memory.fill(m, 0, <usize>width * rowBytes);
    useShape(width, firstRow(args, k + 1) - firstRow(args, k), width, true, false);
    addProducts(m, width, load<usize>(args, L.X) + first, load<usize>(args, L.Y) + first, 0, zero, 0, 1, -1);
  }
}

/** Y ← Y ± A·X, or A^T·X, whose lists the arguments then are. */
export function blockMultiply(thread: i32, threads: i32, args: usize): void {
  const b = load<i32>(args, L.BLOCK);
  const width = load<i32>(args, L.WIDTH);
  const ptr = load<usize>(args, L.PTR);
  const lacksDiagonal = load<u32>(args, L.LACKS_DIAGONAL) != 0;
  useField(load<usize>(args, L.FIELD));
  useShape(b, b, width, load<u32>(args, L.IS_TRANSPOSED) != 0, load<u32>(args, L.IS_MINUS) != 0);
  for (let k = nextProblem(args); k >= 0; k = nextProblem(args)) {
    const end = load<i32>(load<usize>(args, L.STARTS) + (<usize>(k + 1) << 2));
    for (let i = load<i32>(load<usize>(args, L.STARTS) + (<usize>k << 2)); i < end; i++) {
      const list = ptr + (<usize>i << 2);
      addProducts(
        load<usize>(args, L.Y) + (<usize>(i * b * width) << 2),
        b,
        load<usize>(args, L.VALUES),
        load<usize>(args, L.X),
        load<usize>(args, L.PLACES),
        load<usize>(args, L.OTHERS),
        load<i32>(list),
        load<i32>(list, 4),
        lacksDiagonal ? i : -1,
      );
    }
  }
}

/** A problem for this thread, −1 when none is left. */
export function nextProblem(args: usize): i32 {
  const k = <i32>nextChunk();
  return k < load<i32>(args, L.COUNT) ? k : -1;
}

/** Where problem k begins in tall blocks. */
// @ts-ignore: decorator
@inline
function firstRow(args: usize, k: i32): i32 {
  return load<i32>(load<usize>(args, L.STARTS) + (<usize>k << 2)) * load<i32>(args, L.BLOCK);
}
