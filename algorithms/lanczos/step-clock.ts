/**
 * What the kernels of a step of block Lanczos take in the first steps of a run, beside a copy of V on the same device:
 * what --explain says of them. A device that works behind the host is waited for before and after each kernel of those
 * steps, and what a wait alone takes is taken off once: of `dots` the wait is that for its own results. Of each the
 * least counts, since first calls compile and others use a machine.
 */
import { bytesOfKernels, type StepKernel, type StepSizes } from './step-kernels.js';

/** Steps that are timed, whoever asks: explanations are made before that is known. Each waits eleven times more. */
const STEPS = 16;

/** Who wants to know it, of a matrix with so many entries. */
export interface KernelTiming {
  readonly nnz: number;
  tell(lines: readonly string[]): void;
}

export class StepClock {
  readonly #settle: () => unknown;
  readonly #seen = new Map<StepKernel | 'copy', { readonly ms: number; readonly calls: number }[]>();
  #idle = Number.POSITIVE_INFINITY; // milliseconds of a wait for nothing
  #steps = 0;

  /** `settle` waits for what the device has been told, as `dots` does. */
  constructor(settle: () => unknown) {
    this.#settle = settle;
  }

  /** A step begins; `copy` copies V. */
  async begin(copy: () => void): Promise<void> {
    if (this.#steps++ >= STEPS) return;
    await this.#settle();
    const start = performance.now();
    await this.#settle();
    this.#idle = Math.min(this.#idle, performance.now() - start);
    await this.time('copy', copy);
  }

  /** What `work` gives, which is so many calls of the kernel. */
  async time<T>(kernel: StepKernel | 'copy', work: () => T | Promise<T>, calls = 1): Promise<T> {
    if (this.#steps > STEPS) return work();
    await this.#settle();
    const start = performance.now();
    const result = await work();
    if (kernel !== 'dots') await this.#settle();
    const ms = performance.now() - start;
    this.#seen.set(kernel, [...(this.#seen.get(kernel) ?? []), { ms, calls }]);
    return result;
  }

  /** A line for the copy, and one for each kernel that was called. */
  lines(sizes: StepSizes): string[] {
    const bytes = bytesOfKernels(sizes);
    const copy = this.#least('copy');
    const limit = copy && speed(2 * sizes.cols * sizes.wideBytes, copy);
    const lines = limit ? [`lanczos: a copy of V moves ${limit.toPrecision(3)} GB/s`] : [];
    for (const kernel of Object.keys(bytes) as StepKernel[]) {
      const ms = this.#least(kernel);
      if (!ms) continue;
      const own = speed(bytes[kernel], ms);
      const share = limit ? `, ${Math.round((100 * own) / limit)} % of the copy's` : '';
      lines.push(`lanczos: ${kernel} ${ms.toPrecision(3)} ms, ${own.toPrecision(3)} GB/s${share}`);
    }
    return lines;
  }

  /** Milliseconds of a call; 0 where the clock sees none pass, null of what was not called. */
  #least(kernel: StepKernel | 'copy'): number | null {
    const seen = this.#seen.get(kernel);
    if (seen === undefined) return null;
    return Math.max(0, Math.min(...seen.map(({ ms, calls }) => (ms - this.#idle) / calls)));
  }
}

/** GB/s */
function speed(bytes: number, ms: number): number {
  return bytes / ms / 1e6;
}
