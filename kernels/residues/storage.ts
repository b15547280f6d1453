/**
 * How the cpu kernels hold numbers and multipliers: the host's side of kernels/residues/u16.as.ts, u32.as.ts and
 * gf256.as.ts.
 *
 *   u16    p < 2^16          residues u16   multiplier of v: the pair (v, 256·v mod p), both balanced, in one u32
 *   u32    p ≥ 2^16          residues u32   multiplier of v: v·2^64 mod p: products come back divided by 2^64
 *   gf256  GF(2^k), k ≤ 8    codes u8       multiplier of v: the address of a table of its products
 */
import type { ExtensionField } from '../../fields/extension.js';
import { negativeInverseModWord } from '../../fields/inverse.js';
import { entriesBeforeReduction, i16SumTerms, productsBeforeFolding } from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { KernelName } from '../generated/kernel-names.js';

export type ResidueStorageName = 'u16' | 'u32' | 'gf256';

/** The kernel of a family for each storage. */
export type KernelFamily = Readonly<Record<ResidueStorageName, KernelName>>;

export interface ResidueStorage {
  readonly bytes: 1 | 2 | 4; // of a number
  readonly name: ResidueStorageName;
  /** ±1 entries, and general ones, that the kernels add up before they reduce. */
  readonly unitTerms: number;
  readonly generalTerms: number;
  /** ±1 entries, and any, that sums of 16 bits hold: 0 where there is no kernel for such. */
  readonly i16UnitTerms: number;
  readonly i16Terms: number;
  /** v as the kernels multiply by it. */
  multiplier(v: number): number;
  /** The factor that makes up for a product of two plain residues. */
  readonly plainScale: number;
  /** The kernels' constant: −1/p mod 2^32 for u32, round(2^15/p) for u16, the address of the tables for gf256. */
  readonly constant: number;
  /** Bytes of a row of `width` sums that projections leave. */
  partBytes(width: number): number;
}

export function storageOf(field: WordPrime): ResidueStorage {
  return field.isU16 ? u16Storage(field) : u32Storage(field);
}

/** Runs of ±1 entries in a row: one of each sign, since a rest in another format is a pass of its own. */
const UNIT_RUNS = 2;

function u16Storage(field: WordPrime): ResidueStorage {
  const { p } = field;
  const terms = entriesBeforeReduction(p, UNIT_RUNS);
  return {
    bytes: 2,
    name: 'u16',
    unitTerms: cap(terms.units),
    generalTerms: cap(terms.general),
    i16UnitTerms: cap(i16SumTerms(p, 1)),
    i16Terms: cap(i16SumTerms(p, Math.floor(p / 2))),
    multiplier: (v) => ((field.balance(v) & 0xffff) | (field.balance((v * 256) % p) << 16)) >>> 0,
    plainScale: 1,
    constant: Math.round(2 ** 15 / p),
    partBytes: eightWords,
  };
}

function u32Storage(field: WordPrime): ResidueStorage {
  const { p } = field;
  const scale = field.pow(2, 64);
  return {
    bytes: 4,
    name: 'u32',
    unitTerms: cap(Number.POSITIVE_INFINITY), // ±1 sums stay canonical
    generalTerms: cap(productsBeforeFolding(field.modulus)),
    ...NO_SMALL_SUMS,
    multiplier: (v) => field.mul(v, scale),
    plainScale: scale,
    constant: negativeInverseModWord(p),
    partBytes: eightWords,
  };
}

/** The largest q whose codes are bytes. */
const LARGEST_BYTE_FIELD = 2 ** 8;
const TABLE_BYTES = 32;

/** Whether codes of the field are bytes that exclusive or adds up. */
export function hasGf256Storage(field: ExtensionField): boolean {
  return field.p === 2 && field.size <= LARGEST_BYTE_FIELD;
}

/** The tables of kernels/residues/gf256.as.ts: v·t for t < 16 and v·16·t, for every v. Kernels look up codes alone. */
export function gf256Tables(field: ExtensionField): Uint8Array {
  const { size } = field;
  const tables = new Uint8Array(TABLE_BYTES * size);
  for (let v = 0; v < size; v++) {
    for (let t = 0; t < 16; t++) {
      if (t < size) tables[TABLE_BYTES * v + t] = field.mul(v, t);
      if (16 * t < size) tables[TABLE_BYTES * v + 16 + t] = field.mul(v, 16 * t);
    }
  }
  return tables;
}

/** Codes whose tables are at `tables`. */
export function gf256Storage(tables: number): ResidueStorage {
  return {
    bytes: 1,
    name: 'gf256',
    unitTerms: cap(Number.POSITIVE_INFINITY),
    generalTerms: cap(Number.POSITIVE_INFINITY),
    ...NO_SMALL_SUMS,
    multiplier: (v) => tables + TABLE_BYTES * v,
    plainScale: 1,
    constant: tables,
    partBytes: (width) => 16 * Math.ceil(width / 16),
  };
}

const NO_SMALL_SUMS = { i16UnitTerms: 0, i16Terms: 0 };

/** Rows of words padded to 8. */
function eightWords(width: number): number {
  return 32 * Math.ceil(width / 8);
}

/** Longer runs save nothing, and byte counts stay small. */
function cap(terms: number): number {
  return Math.min(terms, 2 ** 16);
}
