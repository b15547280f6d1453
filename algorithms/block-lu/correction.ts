/**
 * Systems A·X = B of a batch where P = (L·U)^-1 by factors on the pattern is not A^-1, because the pattern lacks fill.
 *
 *   c = P·B     E = P·A − I     P·A·X = c, so that X = c − E·X differs from c by a vector of the columns of E
 *   Q = E·Ω, Ω random of W columns: the columns of E where its rank is at most W, but for bad luck
 *   X = c − Q·Y with (Q + E·Q)·Y = E·c, of which G^T·(Q + E·Q)·Y = G^T·E·c is solved, G random of W columns
 *
 * E = −P·(A − L·U), and A − L·U has entries at the fill alone: fill in few lines makes a small rank. The check by A·X
 * is the caller's, so that luck decides nothing but whether there is an answer.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { type BlockKernels, MOST_COLUMNS, type TallBlock } from '../../kernels/block-sparse/block-batch.js';
import { solveSmall } from './small-system.js';

/** The largest rank of E. */
export const MOST_RANK = MOST_COLUMNS;
const W = MOST_COLUMNS;
const ADDED = { sign: 1, transposed: false, diagonal: true } as const;

/**
 * Takes Q·Y from x, W columns, whose residual B − A·X is `residual`: problem k only where wrong[k]. Residual is
 * overwritten.
 */
export async function correct(
  kernels: BlockKernels,
  field: WordPrime,
  x: TallBlock,
  residual: TallBlock,
  wrong: readonly boolean[],
  length: number, // rows of the batch
  seed: bigint,
): Promise<void> {
  const random = (name: string): TallBlock =>
    kernels.tall(W, new CounterRandom(deriveSeed(seed, name), 0).fillResidues(new Uint32Array(length * W), field.p));
  const identity = repeat(identityOf(W), wrong.length);
  /** P·A·V */
  const preconditioned = (v: TallBlock): TallBlock => {
    const product = kernels.tall(W);
    kernels.addBlockProduct(product, v, ADDED);
    kernels.substitute(product);
    return product;
  };
  const [omega, g] = [random('directions'), random('projections')];
  // Q ← P·A·Ω − Ω
  const q = preconditioned(omega);
  kernels.addTallProduct(q, omega, identity, -1);
  const h = preconditioned(q);
  // E·c = P·A·c − P·B
  kernels.substitute(residual);
  const [left, right] = [await kernels.dotTall(g, h), await kernels.dotTall(g, residual)];
  const size = W * W;
  const y = new Uint32Array(wrong.length * size);
  for (const [k, isWrong] of wrong.entries()) {
    const [S, T] = [left, right].map((all) => all.subarray(k * size, (k + 1) * size)) as [Uint32Array, Uint32Array];
    const own = isWrong ? solveSmall(field, S, T, W) : null;
    if (own !== null) y.set(own, k * size);
  }
  // G^T·P·(B − A·c) is −G^T·E·c.
  kernels.addTallProduct(x, q, y, 1);
  for (const tall of [omega, g, q, h]) kernels.release(tall);
}

function identityOf(w: number): Uint32Array {
  const out = new Uint32Array(w * w);
  for (let i = 0; i < w; i++) out[i * w + i] = 1;
  return out;
}

function repeat(words: Uint32Array, times: number): Uint32Array {
  const out = new Uint32Array(words.length * times);
  for (let k = 0; k < times; k++) out.set(words, k * words.length);
  return out;
}
