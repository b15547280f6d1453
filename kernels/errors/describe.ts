/** A short, printable description of any value, for messages. */

import { excerpt, printable } from './excerpt.js';

/** The longest list of names. */
const LONGEST = 60;

/** Strings are quoted, cut and escaped; objects are described by a few of their names. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return excerpt(value);
  if (typeof value === 'symbol') return 'a symbol';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const names = Object.keys(value).slice(0, 6).map(printable);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind !== 'Object') return /^[\w -]+$/.test(kind) ? `a ${kind}` : 'an object';
  return names.length === 0 ? 'an object with nothing in it' : `an object with ${names.join(', ').slice(0, LONGEST)}`;
}
