/** A reference executor whose memory errs once: a word of a vector, of blocks that are read, or of an order basis. */
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField, PolyMatrix } from '../../../algorithms/sigma-basis/order-basis.js';
import type { BlockVector, Program, SmallBlocks, Step } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { callByCall } from './call-by-call.js';

/** Moments of a drill; all of a slow run. */
export function momentsOf(usually: number): number {
  return Number(process.env['FLIPS'] ?? usually);
}

/** A word of something that is written, the `at`-th time that it is. */
export interface Flip {
  readonly what: 'vectors' | 'blocks' | 'basis';
  readonly at: number;
  readonly word: number;
}

/** How often each is written in a whole run. */
export type Counts = Record<Flip['what'], number>;

/** Changes a word of what calls write. */
export class ErringExecutor extends ReferenceExecutor {
  readonly counts: Counts = { vectors: 0, blocks: 0, basis: 0 };
  flip: Flip | null = null;

  protected errs(what: Flip['what']): boolean {
    return this.counts[what]++ === this.flip?.at && this.flip.what === what;
  }

  changed(words: Uint32Array): Uint32Array {
    const at = this.flip!.word % Math.max(1, words.length);
    if (words.length > 0) words[at] = (words[at]! + 1 + (this.flip!.word % (this.field.p - 1))) % this.field.p;
    return words;
  }

  private async after(v: BlockVector): Promise<void> {
    if (this.errs('vectors')) this.write(v, this.changed((await this.read(v)).slice()));
  }

  override compile(step: Step): Program {
    return callByCall(
      step,
      (own) => super.compile(own),
      (v) => this.after(v),
    );
  }

  override readBlocks(out: SmallBlocks, first: number, count: number) {
    const words = super.readBlocks(out, first, count) as Uint32Array;
    return this.errs('blocks') ? this.changed(words.slice()) : words;
  }

  /** An engine whose order bases err. */
  engine(field: BasisField): NaiveEngine {
    const engine = new NaiveEngine(field);
    const { sigmaBasis, compose, read, write } = engine;
    const spoil = <M extends PolyMatrix>(p: M): M => {
      if (this.errs('basis')) write.call(engine, p, this.changed(read.call(engine, p, 0, p.length).slice()));
      return p;
    };
    engine.sigmaBasis = (...all) => spoil(sigmaBasis.apply(engine, all));
    engine.compose = (...all) => spoil(compose.apply(engine, all));
    return engine;
  }
}
