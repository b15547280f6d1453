/**
 * s(F), the largest invariant factor of a generator, as the recurrence of scalar sequences made of it.
 *
 *   F(x), n × n, row-reduced, D = deg det F      f : the shortest recurrence of SEQUENCES expansions of F
 *
 * f divides s(F) once it holds for D of their terms, and so for all. It is s(F) if deg f = D; else if it holds for
 * `pairs` further expansions as well, wrong with probability (2/q)^pairs at most (block-wiedemann/expansion.ts).
 * A kept run goes on in each part of that: the inverse of F, the terms, the order basis, and f once it is found.
 */
import { deriveSeed } from '../../fields/random.js';
import { VECTOR_ERROR } from '../block-wiedemann/block-shape.js';
import { Expansion } from '../block-wiedemann/expansion.js';
import type { VectorGenerator } from '../block-wiedemann/generator.js';
import { ExpansionKeeper } from '../block-wiedemann/kept-expansion.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { checksItself } from '../block-wiedemann/self-checks.js';
import { SeriesInverse } from '../block-wiedemann/series-inverse.js';
import type { VectorGeneratorRun } from '../block-wiedemann/vector-generator.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';
import { StoppedError } from '../checkpoint/store.js';
import type { OrderBasisEngine } from '../sigma-basis/order-basis.js';
import { RecurrenceKeeper } from './kept-recurrence.js';
import { recurrenceOf } from './recurrence.js';

/** Scalar sequences that f is found from. */
const SEQUENCES = 4;

/** Further sequences, which f must annihilate as well. */
export function pairCount({ log2q }: WorkingField): number {
  return Math.ceil(VECTOR_ERROR / (log2q - 1));
}

/** s(F), monic; it `agrees` unless this randomness has not shown it. */
export async function invariantFactor(
  context: RunContext,
  generator: VectorGenerator,
  run: VectorGeneratorRun,
): Promise<{ readonly coefficients: Uint32Array; readonly agrees: boolean }> {
  const { working, seed, attempt } = run;
  const { checkpoint } = context;
  const D = generator.degree;
  const engine = context.orderBasisEngine(working.field);
  const keeper = checkpoint && new ExpansionKeeper(checkpoint, attempt, generator);
  const recurrence = checkpoint && new RecurrenceKeeper(checkpoint, attempt, keeper!.of);
  const check = async (): Promise<void> => {
    context.check();
    await keeper?.pass();
  };
  const made: { free(): void }[] = [];
  try {
    const inverse = new SeriesInverse(engine, working, generator);
    made.push(inverse);
    await keeper?.add('inverse', inverse);
    const expand = async (count: number, label: string): Promise<Expansion> => {
      const expansion = new Expansion(engine, working, generator, inverse, count, deriveSeed(seed, label));
      made.push(expansion);
      await keeper?.add(label, expansion);
      return expansion;
    };
    const sequences = await expand(SEQUENCES, 'sequences');
    const search = () => recurrenceOf(sequences, D, working, engine, check, attempt, recurrence?.basis);
    const { coefficients, degree, proved } = await (recurrence?.find(search) ?? search());
    // A run that checks itself looks at f in any case.
    if (degree === D && proved && !checksItself(context)) return { coefficients, agrees: true };
    for (const each of [sequences, await expand(pairCount(working), 'others')]) {
      await each.extend(degree + D, check);
      if (!(await follow(engine, working, coefficients, each, D))) return { coefficients, agrees: false };
    }
    return { coefficients, agrees: true };
  } catch (error) {
    if (error instanceof StoppedError) await keeper?.keep();
    throw error;
  } finally {
    for (const each of made) each.free();
    engine.dispose?.();
  }
}

/** Whether Σ_j f_j·e_(k+j) = 0 for D orders k of every sequence: one product of polynomials. */
async function follow(
  engine: OrderBasisEngine,
  working: WorkingField,
  f: Uint32Array,
  { terms, count }: Expansion,
  D: number,
): Promise<boolean> {
  const degree = f.length - 1;
  const orders = degree + D;
  const reversed = engine.create(1, 1, f.length);
  const series = engine.create(1, count, orders);
  try {
    engine.write(reversed, f.slice().reverse());
    const blocks = new Uint32Array(orders * count);
    for (let k = 0; k < orders; k++) blocks.set(terms.at(k), k * count);
    engine.write(series, blocks);
    const product = engine.residual(reversed, series, degree, D);
    try {
      return (await engine.read(product, 0, D)).every((code) => code === working.elements.zero);
    } finally {
      engine.release(product);
    }
  } finally {
    engine.release(reversed);
    engine.release(series);
  }
}
