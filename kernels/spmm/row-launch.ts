/** How the words of a result are dealt to invocations (each-word.wgsl), by the sizes of a product. */
import type { Constants, GpuDevice } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';
import type { ProductSizes } from '../sparse/formats/product-sizes.js';

export class RowLaunch {
  readonly #workgroup: number;
  readonly #each: number;
  readonly #most: number;

  constructor(
    gpu: GpuDevice,
    { workgroup = WORKGROUP, rowsEach = 1, groups = Number.POSITIVE_INFINITY }: ProductSizes,
  ) {
    const { maxComputeInvocationsPerWorkgroup: most } = gpu.device.limits;
    if (workgroup > most) throw new RangeError(`workgroup: expected up to ${most} invocations, got ${workgroup}`);
    [this.#workgroup, this.#each, this.#most] = [workgroup, rowsEach, groups];
  }

  /** Workgroups of a dispatch for so many words, and the constants of its kernel. */
  over(words: number): { readonly groups: number; readonly constants: Constants } {
    const all = Math.ceil(words / (this.#workgroup * this.#each));
    const groups = Math.min(all, this.#most);
    return { groups, constants: { WORKGROUP: this.#workgroup, EACH: this.#each, LOOPED: groups < all ? 1 : 0 } };
  }
}
