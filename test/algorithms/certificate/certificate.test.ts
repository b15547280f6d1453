import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CertificateError } from '../../../algorithms/certificate/certificate-error.js';
import { certificateField } from '../../../algorithms/certificate/certificate-field.js';
import { challengeCount } from '../../../algorithms/certificate/challenges.js';
import {
  parseCertificate,
  type RankCertificate,
  stringifyCertificate,
} from '../../../algorithms/certificate/format.js';
import { nonzeroPart } from '../../../algorithms/certificate/nonzero-part.js';
import { ProofError } from '../../../algorithms/certificate/prove.js';
import { verifyRankCertificate } from '../../../algorithms/certificate/verify.js';
import { generate } from '../../../data/families.js';
import { CounterRandom } from '../../../fields/random.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { type Entry, planted } from '../expected/matrices.js';
import { example, part, prove, proveEliminating, rankOf } from './proving.js';

// rows, cols, planted rank: tall, wide, square; full and deficient
const SHAPES = [
  [30, 20, 11],
  [20, 30, 20],
  [25, 25, 25],
  [40, 8, 3],
] as const;

describe.each([2, 3, 101, 65521, 2147483647])('p = %d', (p) => {
  test.each(SHAPES)('%d x %d, planted rank %d, is certified, through the text', async (rows, cols, most) => {
    const { a, rank } = example(rows, cols, most, p, 7);
    const certificate = parseCertificate(stringifyCertificate(await prove(a, rank, p)));
    const verdict = verifyRankCertificate(certificate, a);
    expect(verdict).toMatchObject({
      holds: true,
      rank,
      lowerBound: rank,
      upperBound: rank,
      errorLog2: -64,
      reason: '',
    });
  });

  test('a rank that is too high has no certificate', async () => {
    const { a, rank } = example(30, 20, 11, p, 8);
    await expect(prove(a, rank + 1, p)).rejects.toThrow(ProofError);
  });

  test('a rank that is too low has a lower bound, and no upper one', async () => {
    const { a, rank } = example(30, 20, 11, p, 8);
    const low = await prove(a, rank - 1, p);
    const verdict = verifyRankCertificate(low, a);
    expect(verdict.holds).toBe(false);
    expect(verdict.reason).toContain('upper bound');
    for (const oneSided of [{ ...low, upper: null }, await prove(a, rank - 1, p, { bounds: 'lower' })]) {
      const read = parseCertificate(stringifyCertificate(oneSided));
      const shown = { lowerBound: rank - 1, upperBound: null };
      expect(verifyRankCertificate(read, a)).toMatchObject({ holds: false, ...shown });
      expect(verifyRankCertificate(read, a, { rank: rank - 1 })).toMatchObject({ holds: false, ...shown });
      expect(verifyRankCertificate(read, a, { atLeast: rank - 1 })).toMatchObject({ holds: true, ...shown });
      expect(verifyRankCertificate(read, a, { atLeast: rank })).toMatchObject({ holds: false, ...shown });
    }
  });
});

describe.each([2, 3, 101, 65521, 2147483647])('by elimination, p = %d', (p) => {
  test.each([...SHAPES, [90, 200, 61], [200, 90, 83]] as const)(
    '%d x %d, planted rank %d: rows and columns alone, no block Wiedemann',
    async (rows, cols, most) => {
      const { a, rank } = example(rows, cols, most, p, 7);
      const certificate = parseCertificate(stringifyCertificate(await proveEliminating(a, rank, p)));
      expect([certificate.pivotRows.length, certificate.pivotCols.length]).toEqual([rank, rank]);
      expect(verifyRankCertificate(certificate, a)).toMatchObject({ holds: true, lowerBound: rank, upperBound: rank });
    },
  );

  test('matrices whose pivots leave much', async () => {
    for (const [family, args] of [
      ['ex', [1]],
      ['trefethen', [200]],
      ['random', [150, 170, 9, 65521, 5, 40]],
    ] as const) {
      const { rows, cols, ...entries } = generate(family, args);
      const a = nonzeroPart(SparseMatrix.fromTriplets(rows, cols, entries), p);
      const rank = rankOf(a, p);
      const certificate = await proveEliminating(a, rank, p);
      expect(certificate.pivotRows.length).toBe(rank);
      expect(verifyRankCertificate(certificate, a)).toMatchObject({ holds: true, lowerBound: rank, upperBound: rank });
      await expect(proveEliminating(a, rank + 1, p)).rejects.toThrow(ProofError);
    }
  });
});

describe('small and empty matrices', () => {
  test.each([
    [0, 0, 0],
    [0, 5, 0],
    [3, 3, 0],
    [1, 1, 1],
  ])('%d x %d of rank %d', async (rows, cols, rank) => {
    const a = part(rows, cols, rank === 1 ? [[0, 0, 5]] : [], 65521);
    const certificate = parseCertificate(stringifyCertificate(await prove(a, rank, 65521)));
    expect(verifyRankCertificate(certificate, a)).toMatchObject({ holds: true, lowerBound: rank, upperBound: rank });
  });
});

describe('pivots', () => {
  // Where everything is a pivot, where nothing is, and in between.
  test.each([2, 3, 65521, 2147483647])('kept or compressed, mod %d', async (p) => {
    const triangle = Array.from({ length: 12 }, (_, i): Entry[] => [
      [i, i, 1],
      [(i * 5) % 12, 11, i + 1],
    ]).flat();
    const dense = Array.from({ length: 64 }, (_, e): Entry => [e >> 3, e & 7, ((e * e) % 11) + 1]);
    const cases: [number, number, readonly Entry[]][] = [
      [12, 12, triangle],
      [8, 8, dense],
      [
        36,
        36,
        [...planted(30, 30, 9, 3, 4).map(([i, j, v]): Entry => [i + 6, j + 6, v]), [0, 0, 1], [1, 7, 1], [9, 2, 1]],
      ],
    ];
    for (const [rows, cols, entries] of cases) {
      const a = part(rows, cols, entries, p);
      const rank = rankOf(a, p);
      for (const pivots of [true, false]) {
        const certificate = await prove(a, rank, p, { pivots });
        if (!pivots) expect(certificate.pivotRows.length).toBe(0);
        const verdict = verifyRankCertificate(parseCertificate(stringifyCertificate(certificate)), a);
        expect(verdict).toMatchObject({ holds: true, lowerBound: rank, upperBound: rank });
      }
    }
  });
});

describe('lines of even weight, which no compression over F_2 alone survives', () => {
  test.each([2, 3])('mod %d', async (p) => {
    // Every column has 4 ones, or every row has; and a boundary map of the matching complex, whose rows have 4 entries.
    const random = new CounterRandom(5n, 0);
    const even = Array.from({ length: 60 }, (_, j) => {
      const rows = new Set<number>();
      for (let t = 0; rows.size < 4; t++) rows.add(random.residueAt(16 * j + t, 30));
      return [...rows].map((i): Entry => [i, j, 1]);
    }).flat();
    for (const [rows, cols, entries] of [
      [30, 60, even],
      [60, 30, even.map(([i, j, v]): Entry => [j, i, v])],
    ] as const) {
      const a = part(rows, cols, entries, p);
      const rank = rankOf(a, p);
      for (const pivots of [true, false]) {
        const certificate = await prove(a, rank, p, { pivots });
        expect(verifyRankCertificate(certificate, a)).toMatchObject({
          holds: true,
          lowerBound: rank,
          upperBound: rank,
        });
      }
    }
  });
});

describe('the verifier', () => {
  test('rests on fields, a matrix type, and what the format fixes; on nothing that finds answers', () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(file, 'utf8');
      for (const [, kind, path] of text.matchAll(/^import (type )?[^;]*?from '(\.[^']+)';/gms)) {
        if (kind === undefined) visit(resolve(dirname(file), path!.replace(/\.js$/, '.ts')));
      }
    };
    const root = resolve(import.meta.dirname, '../../..');
    visit(join(root, 'algorithms/certificate/verify.ts'));
    const modules = [...seen].map((file) => relative(root, file)).filter((file) => !file.startsWith('fields/'));
    expect(modules.sort()).toEqual([
      ...['base64', 'certificate-error', 'certificate-field', 'challenges', 'compression', 'format'].map(
        (m) => `algorithms/certificate/${m}.ts`,
      ),
      ...['matrix-digest', 'strict-json', 'verify'].map((m) => `algorithms/certificate/${m}.ts`),
      'kernels/errors/describe.ts',
      'kernels/errors/excerpt.ts',
    ]);
  });
});

describe('a certificate with any field changed is refused', () => {
  const p = 65521;
  const { a, rank } = example(30, 20, 11, p, 7);
  const flipped = (list: readonly Uint32Array[], which: number, at: number): Uint32Array[] =>
    list.map((v, i) => (i === which ? v.map((x, k) => (k === at ? (x + 1) % p : x)) : v));

  const changes: [string, (c: RankCertificate) => Partial<RankCertificate>][] = [
    ['rows', () => ({ rows: 31 })],
    ['cols', () => ({ cols: 21 })],
    ['p', () => ({ p: 65519 })],
    ['matrix', (c) => ({ matrix: c.matrix.map((byte, i) => (i === 31 ? byte ^ 1 : byte)) })],
    ['rank up', (c) => ({ rank: rank + 1, lower: c.lower.map((x) => Uint32Array.of(...x, 0)) })],
    [
      'rank down',
      (c) => ({ rank: rank - 1, lower: c.lower.map((x) => x.slice(1)), upper: c.upper!.map((x) => x.slice(1)) }),
    ],
    ['pivotRows', (c) => ({ pivotRows: c.pivotRows.map((i) => (i + 1) % a.inner.rows) })],
    ['pivotCols', (c) => ({ pivotCols: c.pivotCols.toReversed() })],
    ['pivots left out', (c) => ({ pivotRows: c.pivotRows.slice(1), pivotCols: c.pivotCols.slice(1) })],
    ['layers', (c) => ({ layers: c.layers + 1 })],
    ['seed', (c) => ({ seed: c.seed ^ 1n })],
    ...[0, 1, 2, 3].flatMap((j): typeof changes => [
      [`lower ${j}`, (c) => ({ lower: flipped(c.lower, j, 3) })],
      [`upper ${j}`, (c) => ({ upper: flipped(c.upper!, j, 5) })],
    ]),
    ['one lower answer less', (c) => ({ lower: c.lower.slice(1) })],
    ['one upper answer less', (c) => ({ upper: c.upper!.slice(1) })],
    ['no upper answers', () => ({ upper: [] })],
    ['lower answers exchanged', (c) => ({ lower: [c.lower[1], c.lower[0], ...c.lower.slice(2)] })],
  ];
  test.each(changes)('%s', async (_, change) => {
    const good = await prove(a, rank, p);
    expect(good.lower.length).toBe(challengeCount(certificateField(p).q));
    expect(verifyRankCertificate(good, a).holds).toBe(true);
    expect(verifyRankCertificate({ ...good, ...change(good) }, a).holds).toBe(false);
  });

  test('a modulus that is no prime', async () => {
    const good = await prove(a, rank, p);
    expect(verifyRankCertificate({ ...good, p: 65535 }, a).reason).toBe('65535 is not prime');
    const text = stringifyCertificate(good).replace('"mod": 65521', '"mod": 65535');
    expect(() => parseCertificate(text)).toThrow('mod: expected a prime, got 65535');
  });

  test('another matrix', async () => {
    const good = await prove(a, rank, p);
    const values = a.inner.values.map((v, k) => (k === 0 ? (v % (p - 1)) + 1 : v));
    expect(verifyRankCertificate(good, { ...a, inner: { ...a.inner, values } }).reason).toContain('another matrix');
  });
});

describe('a text that is no certificate is refused with the field named', () => {
  const p = 65521;
  const text = prove(part(2, 2, [[0, 0, 1]], p), 1, p).then(stringifyCertificate);
  const headed = (t: string) => (rest: string) => `${/^[^,]*,[^,]*/.exec(t)![0]}${rest}`;
  test.each([
    ['JSON', () => ''],
    ['format: expected JSON', () => '{'],
    ['format: expected JSON', () => '[]'],
    ['format: expected JSON', () => ' '.repeat(5000)],
    ['format', (t: string) => t.replace('rank-certificate', 'certificate')],
    ['format', (t: string) => `\ufeff${t}`],
    ['version: expected 2, got 1$', (t: string) => t.replace('"version": 2', '"version": 1')],
    ['plain digits', (t: string) => t.replace('"version": 2', '"version": 2.0')],
    ['matrix.rows: expected an integer', (t: string) => t.replace('"rows": 2', '"rows": 2147483648')],
    ['plain digits', (t: string) => t.replace('"rows": 2', '"rows": -2')],
    ['plain digits', (t: string) => t.replace('"rank": 1', '"rank": 1e0')],
    ['plain digits', (t: string) => t.replace('"rank": 1', '"rank": 1.0')],
    ['plain digits', (t: string) => t.replace('"rank": 1', '"rank": -0')],
    ['got .01,', (t: string) => t.replace('"rank": 1', '"rank": 01')],
    ['plain digits', (t: string) => t.replace('"rank": 1', '"rank": true')],
    ['rank: expected an integer from 0 to 2, got .1.$', (t: string) => t.replace('"rank": 1', '"rank": "1"')],
    ['not there before', (t: string) => t.replace('"rank": 1', '"rank": 2, "rank": 1')],
    ['not there before', (t: string) => t.replace('"rows": 2', '"rows": 2, "rows": 2')],
    ['printable ASCII', (t: string) => t.replace('"rank": 1', '"r\u0430nk": 1')],
    ['printable ASCII', (t: string) => t.replace('"rank": 1', '"ra\nnk": 1')],
    ["expected JSON with '\"'", (t: string) => t.replace('"rank": 1', '"r\\u0061nk": 1')],
    ['the whole: expected format', (t: string) => t.replace('"rank": 1', '"rank": 1, "more": 1')],
    ['expected JSON with the end', (t: string) => `${t}x`],
    ['at most 64 members', (t: string) => headed(t)(`,"x":[${'0,'.repeat(64)}0]}`)],
    ['at most 4 levels', (t: string) => headed(t)(`,"x":${'['.repeat(1e6)}`)],
    ['a key at', (t: string) => headed(t)(',}')],
    ['an object, a list', (t: string) => headed(t)(',"x":[0,]}')],
    ['matrix.sha256', (t: string) => t.replace(/"sha256": "./, '"sha256": "Z')],
    ['polynomial', (t: string) => t.replace('"polynomial": null', '"polynomial": [1, 0, 1]')],
    ['mod', (t: string) => t.replace('"mod": 65521', '"mod": 1')],
    ['rank', (t: string) => t.replace('"rank": 1', '"rank": 3')],
    ['pivotRows', (t: string) => t.replace(/"pivotRows": "[^"]*"/, '"pivotRows": "AAA"')],
    ['pivotCols', (t: string) => t.replace(/"pivotCols": "[^"]*"/, '"pivotCols": "AAAAAAAAAAA="')],
    ['distinct', (t: string) => t.replace(/("pivot....": )"[^"]*"/g, '$1"AgAAAA=="')],
    ['pivotRows: .* left over', (t: string) => t.replace(/"pivotRows": "[^"]*"/, '"pivotRows": "AAAAAB=="')],
    ['pivotRows: .* other char', (t: string) => t.replace(/"pivotRows": "[^"]*"/, '"pivotRows": "AAAA-A=="')],
    ['pivotRows: .* 7 char', (t: string) => t.replace(/"pivotRows": "[^"]*"/, '"pivotRows": "AAAAAA="')],
    ['pivotRows: .* other char', (t: string) => t.replace(/"pivotRows": "[^"]*"/, '"pivotRows": "AAA  A=="')],
    ['pivotRows: .* other char', (t: string) => t.replace(/"pivotRows": "[^"]*"/, '"pivotRows": "AA==AA=="')],
    ['layers', (t: string) => t.replace('"layers": 2', '"layers": 0')],
    ['seed', (t: string) => t.replace(/"seed": "\d+"/, '"seed": "x"')],
    ['seed', (t: string) => t.replace(/"seed": "\d+"/, '"seed": "18446744073709551616"')],
    ['lower', (t: string) => t.replace('"lower": [', '"lower": 5, "x": [')],
    ['lower\\[0\\]', (t: string) => t.replace(/"lower": \[\s*"[^"]*"/, '"lower": ["AAAAAAAAAAA="')],
    ['elements below', (t: string) => t.replace(/"lower": \[\s*"[^"]*"/, '"lower": ["/////w=="')],
    ['a field seed, got none', (t: string) => t.replace(/ "seed": "\d+",\n/, '')],
  ])('%s', async (named, change) => {
    const changed = change(await text);
    expect(changed).not.toBe(await text);
    expect(() => parseCertificate(changed)).toThrow(CertificateError);
    expect(() => parseCertificate(changed)).toThrow(new RegExp(named));
  });
});
