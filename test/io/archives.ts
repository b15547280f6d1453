/** Zip archives of NumPy arrays, made by hand, for tests of the reader. */
import { zipSync } from 'fflate';

/** An item type of NumPy: its code and how a value is laid down. */
const TYPES: Readonly<
  Record<string, [bytes: number, set: (view: DataView, at: number, value: number | bigint) => void]>
> = {
  '|b1': [1, (view, at, value) => view.setUint8(at, Number(value))],
  '|i1': [1, (view, at, value) => view.setInt8(at, Number(value))],
  '|u1': [1, (view, at, value) => view.setUint8(at, Number(value))],
  '<i2': [2, (view, at, value) => view.setInt16(at, Number(value), true)],
  '<u2': [2, (view, at, value) => view.setUint16(at, Number(value), true)],
  '<i4': [4, (view, at, value) => view.setInt32(at, Number(value), true)],
  '>i4': [4, (view, at, value) => view.setInt32(at, Number(value), false)],
  '<u4': [4, (view, at, value) => view.setUint32(at, Number(value), true)],
  '<i8': [8, (view, at, value) => view.setBigInt64(at, BigInt(value), true)],
  '>i8': [8, (view, at, value) => view.setBigInt64(at, BigInt(value), false)],
  '<u8': [8, (view, at, value) => view.setBigUint64(at, BigInt(value), true)],
  '<f4': [4, (view, at, value) => view.setFloat32(at, Number(value), true)],
  '<f8': [8, (view, at, value) => view.setFloat64(at, Number(value), true)],
};

export const NUMBER_TYPES = Object.keys(TYPES);

export function npy(type: string, values: readonly (number | bigint)[]): Uint8Array {
  const [bytes, set] = TYPES[type]!;
  const items = new Uint8Array(bytes * values.length);
  const view = new DataView(items.buffer);
  values.forEach((value, k) => {
    set(view, k * bytes, value);
  });
  return withHeader(`{'descr': '${type}', 'fortran_order': False, 'shape': (${values.length},), }`, items);
}

export function npyText(text: string): Uint8Array {
  const items = new TextEncoder().encode(text);
  return withHeader(`{'descr': '|S${text.length}', 'fortran_order': False, 'shape': (), }`, items);
}

function withHeader(header: string, items: Uint8Array): Uint8Array {
  const text = `${header.padEnd(128 - 10 - 1)}\n`;
  const head = Uint8Array.of(0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, text.length & 255, text.length >> 8);
  return Uint8Array.of(...head, ...new TextEncoder().encode(text), ...items);
}

export type Arrays = Readonly<Record<string, Uint8Array>>;

export function npz(arrays: Arrays, level: 0 | 6 = 6): Uint8Array {
  const files = Object.entries(arrays).map(([name, bytes]) => [`${name}.npy`, bytes] as const);
  return zipSync(Object.fromEntries(files), { level, mtime: '2020-01-01' });
}

/** 2 × 3 with 5 at (0, 1), 7 at (0, 2) and 9 at (1, 0), as scipy lays it down. */
export function example(format: string, type: string, values: readonly (number | bigint)[] = [5, 7, 9]): Arrays {
  const [a, b, c] = values as [number, number, number];
  const index = (...list: number[]): Uint8Array => npy('<i4', list);
  const rest = { format: npyText(format), shape: npy('<i8', [2, 3]) };
  if (format === 'csr') return { indices: index(1, 2, 0), indptr: index(0, 2, 3), ...rest, data: npy(type, [a, b, c]) };
  if (format === 'csc')
    return { indices: index(1, 0, 0), indptr: index(0, 1, 2, 3), ...rest, data: npy(type, [c, a, b]) };
  return { row: index(0, 0, 1), col: index(1, 2, 0), ...rest, data: npy(type, [a, b, c]) };
}
