/** A sequence made in this thread, for fakes of devices: what a test changes of it, it overrides. */
import type { KrylovSequence, Sequence } from '../../../algorithms/block-wiedemann/krylov.js';

export abstract class SequenceOf implements Sequence {
  protected readonly krylov: KrylovSequence;

  constructor(krylov: KrylovSequence) {
    this.krylov = krylov;
  }

  get shape() {
    return this.krylov.shape;
  }
  get s() {
    return this.krylov.s;
  }
  get t() {
    return this.krylov.t;
  }
  get adjoint() {
    return this.krylov.adjoint;
  }
  get seconds(): number {
    return this.krylov.seconds;
  }
  get check() {
    return this.krylov.check;
  }

  abstract extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void>;

  free(): void {
    this.krylov.free();
  }
}
