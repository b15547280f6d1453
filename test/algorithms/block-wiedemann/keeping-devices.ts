/** Devices in this thread that keep their shares of a sequence: slow ones, and ones that die or err. */
import { SequenceKeeper } from '../../../algorithms/block-wiedemann/kept-sequence.js';
import type { KrylovSequence, Sequence } from '../../../algorithms/block-wiedemann/krylov.js';
import {
  type KeptShare,
  type SequenceDevice,
  type SequenceTask,
  startSequence,
} from '../../../algorithms/block-wiedemann/krylov-columns.js';
import { tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { DeviceError } from '../../../kernels/errors/device-error.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import type { MemoryStore } from './memory-store.js';
import { SequenceOf } from './sequence-of.js';

/** Keeps the run each time that it is asked, however long the last checkpoint took. */
export class Eager extends Checkpoint {
  override async due(): ReturnType<Checkpoint['due']> {
    const due = await super.due();
    return due === 'no' ? 'keep' : due;
  }
}

export interface Device {
  readonly pace?: number; // milliseconds of a block
  readonly dies?: number | 'asked to end'; // at a block
  /** Its first block changes once, behind its check and before anybody has taken it. */
  readonly spoilt?: { done: boolean };
}

/** A device in this thread, which keeps its shares in `store`. */
export class DeviceHere implements SequenceDevice {
  private readonly store: MemoryStore;
  private readonly options: Device;
  private readonly executor: ReferenceExecutor;
  private held: ResidueMatrix | undefined;

  constructor(store: MemoryStore, p: number, options: Device) {
    [this.store, this.options] = [store, options];
    this.executor = new ReferenceExecutor(WordPrime.of(p));
  }

  async hold(matrix: ResidueMatrix): Promise<void> {
    this.held = structuredClone(matrix);
  }

  async start(task: SequenceTask, kept?: KeptShare, remark: (line: string) => void = () => {}): Promise<Sequence> {
    const { executor } = this;
    const options = { interval: 0, stops: async () => false, remark };
    const keeper = new SequenceKeeper(new Eager(this.store, kept!.run, options), kept!.name);
    const a = tallOperator(executor.operator(this.held!));
    const working = new WorkingField(executor, 'block');
    const { krylov } = await startSequence(executor, a, working, structuredClone(task), keeper);
    return new SequenceHere(krylov, this.options);
  }
}

class SequenceHere extends SequenceOf {
  private readonly options: Device;
  private lost: Error | undefined;
  private going: Promise<void> = Promise.resolve();

  constructor(krylov: KrylovSequence, options: Device) {
    super(krylov);
    this.options = options;
  }

  extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    const { pace = 0, dies } = this.options;
    const { spoilt } = this.options;
    const step = (done: number): void => {
      if (spoilt?.done === false) this.s.at(0)[1] ^= 1;
      if (spoilt) spoilt.done = true;
      onStep(done);
    };
    const made = async (): Promise<void> => {
      while (this.s.count < count) {
        check();
        const { count: known } = this.s;
        if (typeof dies === 'number' && known >= dies) this.lost ??= new DeviceError(DIED);
        if (this.lost) throw this.lost;
        await this.krylov.extend(known + 1, moments, check, step); // to the end of what is checked at once
        await new Promise((resolve) => setTimeout(resolve, pace * (this.s.count - known)));
      }
    };
    const going = made();
    this.going = going.catch(() => undefined);
    return going;
  }

  async stop(why: Error = new StoppedError()): Promise<void> {
    this.lost ??= this.options.dies === 'asked to end' ? new DeviceError(DIED) : why;
    const isLost = this.lost instanceof DeviceError;
    await this.going;
    if (isLost) throw this.lost;
    await this.krylov.keep();
  }
}

export const DIED = 'device gpu: it was lost';
