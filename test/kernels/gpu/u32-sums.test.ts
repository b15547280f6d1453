/** Sums of residues mod 2^16 < p < 2^31 on a GPU (kernels/residues/u32.wgsl and those behind it), against integers. */
import { beforeEach, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { gpuDigitTermsBeforeFolding } from '../../../fields/reduction.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { fieldConstants } from '../../../kernels/gpu/field-constants.js';
import { skipOf } from '../../gpu.js';
import { evaluate as evaluateBehind } from './evaluate.js';

const PRIMES = [65537, 65539, 8388617, 1073741827, 2147483629, 2147483647];
/** The most that a word of a sum has; the lowest may have any. */
const MOST = 2 ** 31 - 2 ** 16;
const ANY = 2 ** 32 - 1;

function termsOf(field: WordPrime, sums: 'u32-sums' | 'u32-digits'): number {
  return sums === 'u32-digits' ? gpuDigitTermsBeforeFolding() : Number(fieldConstants(field)['TERMS']);
}

/** What `expression` gives behind these sums. */
function evaluate(
  field: WordPrime,
  given: Uint32Array,
  expression: string,
  sums: 'u32-sums' | 'u32-digits' = 'u32-sums',
): Promise<Uint32Array> {
  return evaluateBehind(field, given, expression, ['u32', sums], { TERMS: termsOf(field, sums) });
}

/** All fours of `choices`, and as many of random numbers up to the largest of them, as lanes of four vectors. */
function fours(choices: readonly number[]): { words: Uint32Array; lists: number[][] } {
  const most = Math.max(...choices);
  const random = new CounterRandom(3, most);
  const each = choices.length;
  const count = 8 * Math.ceil((2 * each ** 4) / 8);
  const lists = Array.from({ length: count }, (_, n) =>
    [0, 1, 2, 3].map((i) =>
      n < each ** 4 ? choices[Math.floor(n / each ** i) % each]! : random.residueAt(4 * n + i, most) + 1,
    ),
  );
  const words = Uint32Array.from({ length: 4 * count }, (_, at) => {
    const [group, i, lane] = [Math.floor(at / 16), Math.floor(at / 4) % 4, at % 4];
    return lists[4 * group + lane]![i]!;
  });
  return { words, lists };
}

describe.each(PRIMES)('mod %i', (p) => {
  beforeEach(skipOf('gpu'));
  const [field, m] = [WordPrime.of(p), BigInt(p)];

  test('the value of a sum, up to the most that its words have', async () => {
    const { words, lists } = fours([0, 1, 65535, 65536, MOST - 1, MOST]);
    for (let n = 0; n < lists.length; n += 5) {
      lists[n]![0] = ANY;
      words[16 * Math.floor(n / 4) + (n % 4)] = ANY;
    }
    const expected = lists.map((s) =>
      Number(s.reduce((sum, each, i) => sum + (BigInt(each) << BigInt(16 * i)), 0n) % m),
    );
    expect(await evaluate(field, words, 'out[id.x] = value_of(g[0], g[1], g[2], g[3]);')).toEqual(
      Uint32Array.from(expected),
    );
  });

  test('products that a common factor scales', async () => {
    const { words, lists } = fours([0, 1, 2, 65535, p - 2, p - 1].map((x) => Math.min(x, p - 1)));
    const back = field.pow(field.pow(2, 32), p - 2);
    const expected = lists.map(([a, b]) => field.mul(field.mul(a!, b!), back));
    const each = 'for (var k = 0u; k < 4u; k++) { out[id.x][k] = scaled_product(g[0], g[1][k])[k]; }';
    expect(await evaluate(field, words, each)).toEqual(Uint32Array.from(expected));
  });

  test.each(['u32-sums', 'u32-digits'] as const)(
    'as many products as are added up beside a folded sum, of residues with the largest digits: %s',
    async (sums) => {
      // The largest with ones in all of their lower 11, 16 or 21 bits among them.
      const ones = [11, 16, 21].map((bits) => Math.floor(p / 2 ** bits) * 2 ** bits - 1).filter((x) => x >= 0);
      const residues = [0, 1, p >> 1, p - 1, ...ones];
      const pairs = residues.flatMap((a) => residues.map((b) => [a, b]));
      const words = new Uint32Array(16 * Math.ceil(pairs.length / 4));
      for (const [n, pair] of pairs.entries())
        for (const i of [0, 1]) words[16 * Math.floor(n / 4) + 4 * i + (n % 4)] = pair[i]!;
      const each = `
        for (var k = 0u; k < 4u; k++) {
          var s = sums_fold(sums_mul(sums_zero(), Words(1u), P - 1u));
          for (var t = 0u; t < TERMS; t++) { s = sums_mul(s, g[0], g[1][k]); }
          out[id.x][k] = sums_value(s)[k];
        }`;
      const terms = BigInt(termsOf(field, sums));
      const expected = pairs.map(([a, b]) => Number((m - 1n + terms * BigInt(a!) * BigInt(b!)) % m));
      const got = await evaluate(field, words, each, sums);
      expect(got.subarray(0, pairs.length)).toEqual(Uint32Array.from(expected));
    },
  );
});
