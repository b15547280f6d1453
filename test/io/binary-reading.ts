/** Binary files as tests read them: what they hold, or the one line that refuses them. */
import { expect } from 'vitest';
import { FormatError } from '../../src/io/format-error.js';
import type { InputFormat } from '../../src/io/input-format.js';
import { readMatrix } from '../../src/io/read-matrix.js';
import { listed } from './text.js';

export const name = 'x';
export function sorted(text: string): string {
  const [sizes, entries] = text.split(': ');
  return entries === undefined ? text : `${sizes}: ${entries.split(', ').sort().join(', ')}`;
}

export async function listOf(bytes: Uint8Array, format: InputFormat = 'auto'): Promise<string> {
  return sorted(listed(await readMatrix(bytes, { name, format })));
}

export const refusal = async (bytes: Uint8Array, format: InputFormat = 'auto'): Promise<string> => {
  const error = await readMatrix(bytes, { name, format }).then(
    (matrix) => expect.fail(`read as ${listed(matrix)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FormatError);
  expect((error as FormatError).byte).toEqual(expect.any(Number));
  expect((error as Error).message).not.toContain('\n');
  return (error as Error).message;
};

/** Words of 32 bits, little-endian. */
export const words = (...list: number[]): Uint8Array => new Uint8Array(Uint32Array.from(list).buffer);
export const halves = (...list: number[]): Uint8Array => new Uint8Array(Uint16Array.from(list).buffer);
export const joined = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Every cut of `bytes`, and every byte with a bit changed: the same matrix or one line, never another matrix. */
export async function withstands(bytes: Uint8Array, cuts: readonly number[] = []): Promise<void> {
  const whole = await listOf(bytes);
  for (let length = 4; length < bytes.length; length++) {
    if (!cuts.includes(length)) expect(await refusal(bytes.slice(0, length))).toMatch(/^x(\/\w+\.npy)?: byte \d+: /);
  }
  for (let k = 4; k < bytes.length; k++) {
    const changed = bytes.slice();
    changed[k]! ^= 1 << (k % 8);
    const found = await readMatrix(changed, { name }).then(listed, (error: unknown) => error);
    if (typeof found === 'string') expect(sorted(found), `byte ${k}`).toBe(whole);
    else expect(found, `byte ${k}`).toBeInstanceOf(FormatError);
  }
}
