/**
 * The bound that is used is the bound that is proved: kernels ask fields/ for it, and what they write down themselves
 * keeps to it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  byteSplitTermsBeforeReduction,
  digitProductsBeforeReduction,
  gpuByteTermsBeforeReduction,
  gpuDigitTermsBeforeFolding,
  gpuTermsBeforeFolding,
} from '../../fields/reduction.js';
import { gpuPointProductsBeforeFolding, pointProductsBeforeReduction } from '../../fields/transform-bounds.js';
import { BLOCK_SIZES, MOST_COLUMNS } from '../../kernels/block-sparse/block-batch.js';
import { PANEL as PLUQ_PANEL } from '../../kernels/dense/gpu-pluq-sizes.js';
import { TRANSFORM_PRIMES } from '../../kernels/poly/gpu-ntt-primes.js';
import { PRIMES as PRIMES_21BIT } from '../../kernels/poly/ntt-primes-21bit.js';
import { LONG } from '../../kernels/sparse/formats/sliced-ell-slices.js';

const ROOT = resolve(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : filesBelow(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

/** The text without comments: bounds are spoken of everywhere. */
const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');

/** How a bound is computed by hand: what an accumulator holds, the square of a residue, a quotient by p. */
const BY_HAND: readonly RegExp[] = [
  /\b(?:termsBeforeReduction|capacity)\(/g,
  /\b2n?\s*\*\*\s*(?:15|24|31|32|53|63|64)n?\s*(?:-\s*1n?\b|\)*\s*\/)/g,
  /\b(?:p|q|modulus|half|most|largest|balanced|square)\)?\s*\*\*\s*2n?\b/g,
  /\b(?:p|q|modulus)\s*-\s*1n?\s*\)+\s*\*\*/g,
  /\b(p|q|modulus|half|most|largest|balanced)\s*\*\s*\1\b/g,
  /\/\s*\(*\s*(?:p|q|modulus)\s*-\s*1n?\s*\)/g,
  /\b(?:2147483647|4294967295|9007199254740991|0x7fffffff_ffffffff)n?\b/g,
];

/** What looks like a bound of a sum and is none: the text, and why. */
const NO_BOUNDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kernels/poly/gpu-ntt-primes.ts': { '2 ** 32 /': "estimates a root's quotient floor(w·2^32 / q)" },
  'kernels/poly/ntt-primes-14bit.ts': {
    '2 ** 15 /': 'is the constant round(2^15/q) of a multiplication',
    '2 ** 15) /': 'is the constant round(2^15·w/q) of a multiplication',
  },
  'kernels/residues/storage.ts': { '2 ** 15 /': 'is the constant round(2^15/p) of a multiplication' },
  'algorithms/certificate/challenges.ts': { '2 ** 32 /': 'refuses words, so that residues are uniform' },
  'kernels/sparse/coordinates.ts': { '2 ** 32 - 1': 'is the largest number of entries that offsets of 32 bits count' },
  'algorithms/certificate/format.ts': { '2 ** 31 - 1': 'is the largest size and modulus that the format has' },
};

function findByHand(file: string): string[] {
  const code = codeOf(textOf(file));
  return BY_HAND.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found.replace(/\s+/g, ' ')));
}

describe('bounds of sums', () => {
  test('are computed in fields/ alone', () => {
    const files = [...filesBelow('kernels'), ...filesBelow('algorithms')];
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((file) => {
      const reasons = NO_BOUNDS[file] ?? {};
      return findByHand(file)
        .filter((text) => !(text in reasons))
        .map((text) => `${file}: ${text}`);
    });
    expect(found).toEqual([]);
  });

  test('no exception outlives what it is for', () => {
    const idle = Object.entries(NO_BOUNDS).flatMap(([file, reasons]) => {
      const found = findByHand(file);
      return Object.keys(reasons)
        .filter((text) => !found.includes(text))
        .map((text) => `${file}: ${text}`);
    });
    expect(idle).toEqual([]);
  });
});

/** The one number that `pattern` has in a file. */
function numberIn(file: string, pattern: RegExp): number {
  const found = [...codeOf(textOf(file)).matchAll(pattern)].map(([, digits]) => Number(digits));
  expect(found).toHaveLength(1);
  return found[0]!;
}

// The largest p < 2^16 has the least of every bound.
const P = 65521;

describe('what kernels write down themselves', () => {
  test('products of digits: kernels/poly/dot-u16.as.ts', () => {
    const terms = numberIn('kernels/poly/dot-u16.as.ts', /MOST_TERMS: i32 = (\d+)/g);
    expect(terms).toBeLessThanOrEqual(digitProductsBeforeReduction(P));
  });

  test('products of values in f64: kernels/poly/pointwise-u32.as.ts', () => {
    const products = numberIn('kernels/poly/pointwise-u32.as.ts', /PRODUCTS: i32 = (\d+)/g);
    for (const { q } of PRIMES_21BIT) expect(products).toBeLessThanOrEqual(pointProductsBeforeReduction(q));
  });

  test('products of values in two words: kernels/poly/pointwise.wgsl', () => {
    const mask = numberIn('kernels/poly/pointwise.wgsl', /\(t & (\d+)u\) == 0u/g);
    for (const q of TRANSFORM_PRIMES) expect(mask + 1).toBeLessThanOrEqual(gpuPointProductsBeforeFolding(q));
  });

  test('columns of a panel less one: kernels/dense/pluq-panel-u16.as.ts', () => {
    const width = numberIn('kernels/dense/pluq-panel.as.ts', /WIDTH: i32 = (\d+)/g);
    for (const p of [2, 3, 257, P]) expect(width - 1).toBeLessThanOrEqual(byteSplitTermsBeforeReduction(p, p));
  });

  test('pivots of a block on a GPU: kernels/dense/pluq-left.wgsl and the products of pluq-u16.wgsl and pluq-u32.wgsl', () => {
    for (const p of [2, 3, 257, P, 65537, 2147483647]) {
      expect(PLUQ_PANEL).toBeLessThanOrEqual(gpuTermsBeforeFolding(p));
      expect(PLUQ_PANEL).toBeLessThanOrEqual(gpuByteTermsBeforeReduction(p));
    }
  });

  test('products of a row and a column of blocks, or of tall ones: kernels/block-sparse/block-sums.wgsl', () => {
    const most = Math.max(...BLOCK_SIZES, MOST_COLUMNS);
    for (const p of [2, 3, 257, P]) expect(most).toBeLessThanOrEqual(gpuTermsBeforeFolding(p));
    expect(most).toBeLessThanOrEqual(gpuDigitTermsBeforeFolding());
  });

  test('entries of a sliced row and one term more: kernels/spmm/spmm-sliced.wgsl', () => {
    for (const p of [2, 3, 257, P, 65537, 2147483647]) expect(LONG + 1).toBeLessThanOrEqual(gpuTermsBeforeFolding(p));
  });
});
