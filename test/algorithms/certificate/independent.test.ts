/**
 * Certificates under a verifier that somebody wrote from algorithms/certificate/README.md alone: verifier.py, in plain
 * Python. It accepts what is right, refuses what was tampered with, and draws the line where this program does.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RankCertificate, stringifyCertificate } from '../../../algorithms/certificate/format.js';
import { nonzeroPart } from '../../../algorithms/certificate/nonzero-part.js';
import { CounterRandom } from '../../../fields/random.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { pythonMissing as missing, PYTHON } from '../../python.js';
import { type Entry, planted } from '../expected/matrices.js';
import { prove, proveEliminating, rankOf } from './proving.js';
import { shows, tamperedText } from './tampering.js';

const VERIFIER = join(import.meta.dirname, 'verifier.py');
if (missing) console.warn(`The verifier written from the page is not run: ${missing}`);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-certificate-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the verifier says of each text, a line each. */
function verified(
  rows: number,
  cols: number,
  entries: readonly Entry[],
  p: number,
  texts: readonly string[],
): string[] {
  const matrix = join(folder, 'matrix.sms');
  const lines = entries.map(([i, j, value]) => `${i + 1} ${j + 1} ${value}`);
  writeFileSync(matrix, [`${rows} ${cols} M`, ...lines, '0 0 0', ''].join('\n'));
  const files = texts.map((text, i) => {
    const file = join(folder, `${i}.json`);
    writeFileSync(file, text);
    return file;
  });
  const { status, stdout, stderr } = spawnSync(PYTHON, [VERIFIER, matrix, `${p}`, ...files], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

const PRIMES = [2, 3, 131, 65521, 2147483629];

// Full rank, deficient with zero lines mod p, and lines far apart. Values are such that they are 0 mod no prime above.
const far = (line: number): number => (line * 12345679 + 7) % 1e9;
const CASES: readonly (readonly [
  name: string,
  rows: number,
  cols: number,
  entries: (p: number) => readonly Entry[],
])[] = [
  ['full rank', 12, 20, () => [...planted(12, 20, 9, 3, 5), ...diagonal(12)]],
  ['deficient, two lines 0 mod p', 24, 18, (p) => [...planted(22, 16, 7, 4, 9), [23, 17, p], [22, 3, 0]]],
  ['10^9 x 10^9', 1e9, 1e9, () => planted(20, 16, 6, 4, 3).map(([i, j, value]): Entry => [far(i), far(j + 50), value])],
  ['no entries', 5, 3, () => []],
];

function diagonal(size: number): Entry[] {
  return Array.from({ length: size }, (_, i): Entry => [i, i, 1]);
}

describe.skipIf(missing !== null)(`a verifier written from the page${missing === null ? '' : `: ${missing}`}`, () => {
  test.each(PRIMES)('accepts what is proved mod %d, and refuses a flipped answer', async (p) => {
    for (const [name, rows, cols, entriesOf] of CASES) {
      const entries = entriesOf(p);
      const a = nonzeroPart(SparseMatrix.fromTriplets(rows, cols, entries), p);
      const rank = rankOf(a, p);
      const layers = new Set<number>();
      const good: RankCertificate[] = [await prove(a, rank, p), await proveEliminating(a, rank, p)];
      good.push(await prove(a, rank, p, { pivots: false }));
      const claims = good.map(() => `rank ${rank}`);
      if (rank > 0) {
        for (const pivots of [true, false]) {
          good.push(await prove(a, rank - 1, p, { bounds: 'lower', pivots }));
          claims.push(`rank at least ${rank - 1}`);
        }
      }
      for (const { pivotRows } of good) layers.add(pivotRows.length);
      // Without elements there is none to flip.
      const flipped = (rank === 0 ? [] : good).map((c) => {
        const lower = c.lower.map((x, j) => (j === 1 ? x.map((code, i) => (i === 0 ? (code + 1) % 2 : code)) : x));
        return { ...c, lower };
      });
      const said = verified(rows, cols, entries, p, [...good, ...flipped].map(stringifyCertificate));
      expect({ name, said }).toEqual({ name, said: [...claims, ...flipped.map(() => 'refused: lower bound')] });
      if (rank > 0) expect(layers.size).toBeGreaterThan(1); // pivots alone, and maps of other lines
    }
  });

  test.each([131, 65521])('agrees on texts that were tampered with, mod %d', async (p) => {
    const [rows, cols] = [14, 11];
    const entries = planted(rows, cols, 6, 3, 2);
    const a = nonzeroPart(SparseMatrix.fromTriplets(rows, cols, entries), p);
    const good = stringifyCertificate(await prove(a, rankOf(a, p), p, { pivots: false }));
    const random = new CounterRandom(11n, p);
    const texts = Array.from({ length: 300 }, (_, i) => tamperedText(good, random, i));
    const said = verified(rows, cols, entries, p, texts);
    texts.forEach((text, i) => {
      expect({ text, shown: said[i]!.replace(/^refused.*/, 'refused') }).toEqual({ text, shown: shows(text, a) });
    });
    expect(said.filter((line) => !line.startsWith('refused')).length).toBeGreaterThan(0); // spaces, for one
  });
});
