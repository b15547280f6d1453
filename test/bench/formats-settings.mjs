/** What studies beside that of formats set side by side: moduli, widths, ±1 apart and not, powers. */
import { overModulus, withoutUnits } from './formats-matrices.mjs';

const MODULI = [2, 31, 2039, 4093, 65521, 2147483629];
const WIDTHS = [1, 4, 8, 16, 32];
const POWERS = [1, 10, 100];
/** What they are made on. */
export const MADE_ON = {
  modulus: ['random_10000', 'power-law_20000', 'blocks_64000_8', 'bibd_81_3'],
  width: ['random_10000', 'ch8-8-b4', 'power-law_20000', 'blocks_64000_8'],
  split: ['power-law_20000', 'web_100000', 'ch8-8-b4', 'bibd_81_3'],
  powers: ['EX5', 'random_10000', 'blocks_64000_8'],
};

const BOTH = [{ name: 'csr', storage: 'csr' }, { name: 'chosen' }];

/** What a study sets side by side: { a, p, width, n?, contenders }[]. */
export function settingsOf(study, a) {
  const [p, width, contenders] = [65521, 16, BOTH];
  if (study === 'modulus') return MODULI.map((p) => ({ a: overModulus(a, p), p, width, contenders }));
  if (study === 'width') return WIDTHS.map((width) => ({ a, p, width, contenders }));
  if (study === 'powers') return POWERS.map((n) => ({ a, p, width, n, contenders }));
  return [65521, 2147483629].flatMap((p) => {
    const split = overModulus(a, p);
    const whole = { name: 'csr, not split', storage: 'csr', matrix: withoutUnits(split, p) };
    return [1, 16].map((width) => ({ a: split, p, width, contenders: [...BOTH, whole] }));
  });
}
