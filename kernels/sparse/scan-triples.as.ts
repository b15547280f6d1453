/**
 * scanTriples reads lines `row column value`, or `row column`, of a coordinate file up to the first that is not plain.
 * The reader's own loop (src/io/triple-scanner.ts) takes such lines, and says what is wrong with them.
 *
 * A plain line has indices inside the matrix and a value, each of nine digits at most, so below 10⁹ < 2³¹, apart by
 * spaces or tabs; the last byte before the end is '\n', which stops every loop. Entry k goes, 0-based, to word k of
 * three lists of `room` words at `to`: rows, columns, values.
 */
import * as L from './scan-triples-layout';

const LF: u32 = 10;
const SPACE: u32 = 32;
const PLUS: u32 = 43;
const MINUS: u32 = 45;
const DIGITS: usize = 9;

export function scanTriples(_thread: i32, _threads: i32, args: usize): void {
  const end = load<usize>(args, L.END);
  const to = load<usize>(args, L.TO);
  const room = load<usize>(args, L.ROOM) << 2;
  const rows = load<u32>(args, L.ROWS);
  const cols = load<u32>(args, L.COLS);
  const valued = load<u32>(args, L.VALUED) != 0;
  const below = load<i32>(args, L.BELOW);
  let at = load<usize>(args, L.FIRST);
  let entry = to;
  while (at < end && entry < to + room) {
    let k = skipBlanks(at);
    let first = k;
    let i: u32 = 0;
    for (let d = digit(k); d < 10; d = digit(++k)) i = i * 10 + d;
    if (k - first > DIGITS) break; // without digits i stays 0, an index outside
    first = skipBlanks(k);
    if (first == k) break;
    k = first;
    let j: u32 = 0;
    for (let d = digit(k); d < 10; d = digit(++k)) j = j * 10 + d;
    if (k - first > DIGITS) break;
    let value: i32 = 1;
    if (valued) {
      first = skipBlanks(k);
      if (first == k) break;
      k = first;
      const sign = u32(load<u8>(k));
      if (sign == MINUS || sign == PLUS) first = ++k;
      value = 0;
      for (let d = digit(k); d < 10; d = digit(++k)) value = value * 10 + d;
      if (k == first || k - first > DIGITS) break;
      if (sign == MINUS) value = -value;
    }
    for (k = skipBlanks(k); u32(load<u8>(k)) == 13; ) k = skipBlanks(k + 1);
    if (u32(load<u8>(k)) != LF) break;
    // 0 becomes 2^32 − 1, which no size reaches.
    if (i - 1 >= rows || j - 1 >= cols || i32(i) - i32(j) < below) break;
    store<u32>(entry, i - 1);
    store<u32>(entry + room, j - 1);
    store<i32>(entry + 2 * room, value);
    entry += 4;
    at = k + 1;
  }
  store<usize>(args, at, L.STOPPED);
  store<usize>(args, (entry - to) >> 2, L.COUNT);
}

/** The digit there, 10 or more for another byte. */
// @ts-ignore: decorator
@inline
function digit(at: usize): u32 {
  return u32(load<u8>(at)) - 48;
}

/** The first place from `at` on with neither space nor tab. */
// @ts-ignore: decorator
@inline
function skipBlanks(at: usize): usize {
  let k = at;
  for (let c = u32(load<u8>(k)); c == SPACE || c == 9; c = u32(load<u8>(k))) k++;
  return k;
}
