/**
 * A size on the command line: a number, with a point or without, and a unit in any case.
 *
 *   K M G T, KiB MiB GiB TiB : powers of 1024          KB MB GB TB : powers of 1000          nothing, B : bytes
 */
import { UsageError } from './usage-error.js';

const SIZE = /^(\d+(?:\.\d+)?) ?(?:([KMGT])(i?B)?|B)?$/i;
const PREFIXES = 'KMGT';

/** The bytes that `text` says, undefined for none; `option` names it in the UsageError of a text that says none. */
export function byteCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parts = SIZE.exec(text);
  if (!parts) throw new UsageError(`${option}: expected bytes, such as 500M, 2G (2GiB) or 2GB, got ${text}`);
  const [, number, prefix, suffix] = parts;
  const power = prefix === undefined ? 0 : PREFIXES.indexOf(prefix.toUpperCase()) + 1;
  return Math.floor(Number(number) * (suffix?.toUpperCase() === 'B' ? 1000 : 1024) ** power);
}

/** Bytes for a reader. */
export function bytesText(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  if (bytes < 10_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
