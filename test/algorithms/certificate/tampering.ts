/** Texts and certificates with something changed, and what the verifier makes of them. */
import { CertificateError } from '../../../algorithms/certificate/certificate-error.js';
import {
  parseCertificate,
  type RankCertificate,
  stringifyCertificate,
} from '../../../algorithms/certificate/format.js';
import type { NonzeroPart } from '../../../algorithms/certificate/nonzero-part.js';
import { verifyRankCertificate } from '../../../algorithms/certificate/verify.js';
import type { CounterRandom } from '../../../fields/random.js';

/** 'rank R', 'rank at least R' or 'refused'; whatever is no CertificateError is thrown on. */
export function shows(text: string, a: NonzeroPart): string {
  let certificate: RankCertificate;
  try {
    certificate = parseCertificate(text);
  } catch (error) {
    if (error instanceof CertificateError && !error.message.includes('\n')) return 'refused';
    throw error;
  }
  if (verifyRankCertificate(certificate, a).holds) return `rank ${certificate.rank}`;
  return verifyRankCertificate(certificate, a, { atLeast: certificate.rank }).holds
    ? `rank at least ${certificate.rank}`
    : 'refused';
}

// Characters that mean something to a reader of JSON or base64, and some that should not.
const CHARACTERS = '{}[]":,.-+eE0123456789ABab/=\\ \n\t\u0000\u00e9nulltruefalse';

/**
 * Number `index` of the changes of `text`: characters changed, put in, taken out or doubled, numbers and answers
 * replaced.
 */
export function tamperedText(text: string, random: CounterRandom, index: number): string {
  let drawn = 0;
  const below = (n: number): number => random.residueAt(8 * index + drawn++, n);
  const at = below(text.length);
  const character = (): string => CHARACTERS[below(CHARACTERS.length)]!;
  const number = [0, 1, 2, 3, 16, 17, 65521, 131, 2 ** 31 - 1, 2 ** 31, 2 ** 53][below(11)]!;
  const strings = [...text.matchAll(/"[A-Za-z0-9+/]{8,}=*"/g)];
  const one = strings[below(strings.length)]!;
  const other = strings[below(strings.length)]!;
  const changes = [
    () => text.slice(0, at) + character() + text.slice(at + 1),
    () => text.slice(0, at) + character() + text.slice(at),
    () => text.slice(0, at) + text.slice(at + 1 + below(3)),
    () => text.slice(0, at) + text.slice(at, at + 1 + below(40)).repeat(2) + text.slice(at + 40),
    () => replaced(text, /: (\d+)/g, below(8), `: ${number}`),
    () => replaced(text, /\s+/g, below(20), '\n\t '),
    () => replaced(text, /"upper": (\[[^\]]*\]|null)/g, 0, `"upper": ${['null', '[]', '[""]'][below(3)]}`),
    () => text.slice(0, one.index) + other[0] + text.slice(one.index + one[0].length),
  ];
  return changes[index % changes.length]!();
}

function replaced(text: string, pattern: RegExp, which: number, by: string): string {
  let count = 0;
  return text.replace(pattern, (found) => (count++ === which ? by : found));
}

/** Number `index` of the changes of a certificate that leave a text of the right form: words, pivots, numbers. */
export function tamperedCertificate(c: RankCertificate, random: CounterRandom, index: number, q: number): string {
  let drawn = 0;
  const below = (n: number): number => random.residueAt(8 * index + drawn++, n);
  const inList = (list: readonly Uint32Array[]): Uint32Array[] => {
    const [j, i, code] = [below(list.length), below(c.rank), below(q)];
    return list.map((x, k) => (k === j ? x.map((old, l) => (l === i ? code : old)) : x));
  };
  const swapped = (list: Uint32Array): Uint32Array => {
    const [i, j] = [below(list.length), below(list.length)];
    return list.map((old, l) => (l === i ? list[j]! : l === j ? list[i]! : old));
  };
  const without = (list: Uint32Array, i: number): Uint32Array => list.filter((_, l) => l !== i);
  const changes: (() => Partial<RankCertificate>)[] = [
    () => ({ lower: inList(c.lower) }),
    () => ({ upper: c.upper === null || c.upper.length === 0 ? c.upper : inList(c.upper) }),
    () => ({ pivotRows: swapped(c.pivotRows) }),
    () => ({ pivotCols: swapped(c.pivotCols) }),
    () => {
      const i = below(c.pivotRows.length + 1);
      return { pivotRows: without(c.pivotRows, i), pivotCols: without(c.pivotCols, i) };
    },
    () => ({ seed: BigInt(below(2 ** 31 - 1)) }),
    () => ({ layers: 1 + below(16) }),
    () => ({ rank: c.rank - 1, lower: c.lower.map((x) => x.slice(1)), upper: c.upper?.map((y) => y.slice(1)) ?? null }),
    () => ({ rank: c.rank + 1, lower: c.lower.map((x) => Uint32Array.of(...x, 0)), upper: null }),
  ];
  return stringifyCertificate({ ...c, ...changes[index % changes.length]!() });
}
