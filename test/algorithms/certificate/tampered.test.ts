/**
 * Thousands of certificates with something changed: none shows what the right one does not, and none fails in another
 * way.
 */
import { expect, test } from 'vitest';
import { certificateField } from '../../../algorithms/certificate/certificate-field.js';
import { parseCertificate, stringifyCertificate } from '../../../algorithms/certificate/format.js';
import { CounterRandom } from '../../../fields/random.js';
import { example, prove, proveEliminating } from './proving.js';
import { shows, tamperedCertificate, tamperedText } from './tampering.js';

const COUNT = 300;

test.each([2, 131, 65521, 2147483647])('mod %d', { timeout: 240_000 }, async (p) => {
  const { a, rank } = example(16, 13, 7, p, 5);
  const { q } = certificateField(p);
  for (const made of [await prove(a, rank, p, { pivots: false }), await proveEliminating(a, rank, p)]) {
    const good = stringifyCertificate(made);
    const meaning = JSON.stringify(JSON.parse(good));
    const random = new CounterRandom(5n, p);
    let refused = 0;
    for (let i = 0; i < COUNT; i++) {
      for (const text of [tamperedText(good, random, i), tamperedCertificate(made, random, COUNT + i, q)]) {
        const shown = shows(text, a);
        if (shown === 'refused') refused++;
        else if (JSON.stringify(JSON.parse(text)) === meaning) expect(shown).toBe(`rank ${rank}`);
        else {
          // What is left out may be: without its upper bound the right one shows the lower bound.
          expect({ text, shown }).toEqual({ text, shown: `rank at least ${rank}` });
          expect(parseCertificate(text)).toEqual({ ...parseCertificate(good), upper: null });
        }
      }
    }
    expect(refused).toBeGreaterThan(COUNT);
  }
});
