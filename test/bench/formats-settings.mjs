/** What studies beside that of formats set side by side: moduli, words, widths, ±1 apart, powers, orders of lines. */
import { overModulus, withoutUnits } from './formats-matrices.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { permuteLines, reverseCuthillMcKee } = await ours('kernels/sparse/reordering.js');
const { isFloat, WORDS, wordsHold } = await ours('kernels/residues/words.js');

const MODULI = [2, 31, 2039, 4093, 65521, 2147483629];
const OF_WORDS = [31, 2039, 4093, 8179, 65521, 1048573, 94906249, 189812507, 2147483629];
const LEAST_U32 = 2 ** 16;
const WIDTHS = [1, 4, 8, 16, 32];
const POWERS = [1, 10, 100];
/** What they are made on. */
export const MADE_ON = {
  modulus: ['random_10000', 'power-law_20000', 'blocks_64000_8', 'bibd_81_3'],
  words: ['random_10000', 'bibd_81_3', 'blocks_64000_8', 'random_6M'],
  width: ['random_10000', 'ch8-8-b4', 'power-law_20000', 'blocks_64000_8'],
  split: ['power-law_20000', 'web_100000', 'ch8-8-b4', 'bibd_81_3'],
  powers: ['EX5', 'random_10000', 'blocks_64000_8'],
  reorder: ['EX5', 'delaunay_32768', 'random_10000', 'web_100000', 'ch8-8-b4'],
};

const BOTH = [{ name: 'csr', storage: 'csr' }, { name: 'chosen' }];
const NARROW_AND_WIDE = [1, 16];

/** What a study sets side by side: { a, p, width, n?, contenders }[]. */
export function settingsOf(study, a, isGpu) {
  const [p, width, contenders] = [65521, 16, BOTH];
  if (study === 'modulus') return MODULI.map((p) => ({ a: overModulus(a, p), p, width, contenders }));
  if (study === 'width') return WIDTHS.map((width) => ({ a, p, width, contenders }));
  if (study === 'powers') return POWERS.map((n) => ({ a, p, width, n, contenders }));
  if (study === 'words') {
    const moduli = OF_WORDS.filter((p) => !isGpu || p < LEAST_U32);
    return moduli.flatMap((p) => wordSettings(overModulus(a, p), p, isGpu));
  }
  if (study === 'reorder') {
    const matrix = permuteLines(a, reverseCuthillMcKee(a, a.rows === a.cols));
    const reordered = BOTH.map(({ name, ...options }) => ({ name: `${name}, rcm`, ...options, matrix }));
    return NARROW_AND_WIDE.map((width) => ({ a, p, width, contenders: [...BOTH, ...reordered] }));
  }
  return [65521, 2147483629].flatMap((p) => {
    const split = overModulus(a, p);
    const whole = { name: 'csr, not split', storage: 'csr', matrix: withoutUnits(split, p) };
    return NARROW_AND_WIDE.map((width) => ({ a: split, p, width, contenders: [...BOTH, whole] }));
  });
}

/** CSR in every kind of words that holds the prime; on a GPU, which has f32 alone, slices of 32 rows. */
function wordSettings(a, p, isGpu) {
  const held = WORDS.filter((words) => wordsHold(words, p) && !(isGpu && words.includes('64')));
  const storage = isGpu ? 'sell-32' : 'csr';
  const contenders = held.map((words) => ({ name: words, storage, ...(isFloat(words) && { words }) }));
  if (isGpu) contenders.push({ name: 'chosen' });
  return NARROW_AND_WIDE.map((width) => ({ a, p, width, contenders }));
}
