/**
 * The degree of GF(q) over F_p, in which the random choices of Wiedemann's algorithms are drawn (working-field.ts).
 *
 * How large q is to be depends on what is drawn (`Draw`). For the blocks of a rank 3^5 = 243 is enough: n columns
 * hardly ever miss a factor all together, so a run is low where H·A is singular on the row space, with probability
 * about 1/q, or where H has lost rank for any q. A larger q makes low runs no rarer
 * (test/bench/RESULTS.md#extension-degree), and verification finds them. Work goes with the degree: 2^8 makes an
 * element over F_2 a byte. A single column misses every factor of degree 1 with probability 1/q, and the format of
 * certificates names its field: both take 2^14.
 */

/** The draw from GF(q): a block for a rank, or single columns, whose sequences must not miss a factor. */
export type Draw = 'block' | 'column';

/**
 * From the prime `primeFrom` on the prime field itself serves; below it the smallest extension with `order` elements or
 * more. For columns 2^10 is enough: a repetition mends a run that verification refuses, an extension multiplies every
 * product's work by its degree, and the tables of a large one outgrow the caches.
 */
const ORDERS: Readonly<Record<Draw, { readonly primeFrom: number; readonly order: number }>> = {
  block: { primeFrom: 3 ** 5, order: 3 ** 5 },
  column: { primeFrom: 2 ** 10, order: 2 ** 14 },
};

/** The degree of GF(q) over F_p, without the tables of the field itself. */
export function workingDegree(p: number, draw: Draw): number {
  const { primeFrom, order } = ORDERS[draw];
  if (p >= primeFrom) return 1;
  let degree = 1;
  while (p ** degree < order) degree++;
  return degree;
}

/** The numbers that an element takes in vectors where the device holds it best: over F_2 a block's are bytes. */
export function numbersAnElement(p: number, draw: Draw): number {
  return p === 2 && draw === 'block' ? 1 : workingDegree(p, draw);
}
