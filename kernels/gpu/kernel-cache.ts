/** The kernels of one device by source and constants, and their bind groups by the buffers bound. */
import { compose, type WgslName } from './shader.js';

export interface GpuKernel {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  readonly bindings: readonly number[]; // of storage buffers, in order
  readonly groups: Map<string, GPUBindGroup>; // by the buffers' numbers
}

export type Constants = Readonly<Record<string, number>>;

interface Bindable {
  readonly id: number;
  readonly buffer: GPUBuffer;
}

export class KernelCache {
  private readonly device: GPUDevice;
  private readonly parameters: GPUBufferBinding; // binding 0 of every kernel
  private readonly kernels = new Map<string, GpuKernel>();
  private readonly groupsOf = new Map<number, { groups: Map<string, GPUBindGroup>; key: string }[]>(); // by buffer

  constructor(device: GPUDevice, parameters: GPUBufferBinding) {
    this.device = device;
    this.parameters = parameters;
  }

  /** Compiled now, unless it is there. */
  get(files: readonly WgslName[], constants: Constants): GpuKernel {
    const key = keyOf(files, constants);
    const known = this.kernels.get(key);
    if (known) return known;
    const { descriptor, ...rest } = this.describe(files, constants);
    return this.keep(key, { ...rest, pipeline: this.device.createComputePipeline(descriptor) });
  }

  /** Compiles it for a later `get` while the host goes on. */
  async compile(files: readonly WgslName[], constants: Constants): Promise<void> {
    const key = keyOf(files, constants);
    if (this.kernels.has(key)) return;
    const { descriptor, ...rest } = this.describe(files, constants);
    const pipeline = await this.device.createComputePipelineAsync(descriptor);
    if (!this.kernels.has(key)) this.keep(key, { ...rest, pipeline });
  }

  bindGroup(kernel: GpuKernel, buffers: readonly Bindable[]): GPUBindGroup {
    let key = '';
    for (const { id } of buffers) key += `${id},`;
    const known = kernel.groups.get(key);
    if (known) return known;
    const entries = buffers.map(({ buffer }, i) => ({ binding: kernel.bindings[i]!, resource: { buffer } }));
    const uniform = { binding: 0, resource: this.parameters };
    const group = this.device.createBindGroup({ layout: kernel.layout, entries: [uniform, ...entries] });
    kernel.groups.set(key, group);
    for (const { id } of buffers) {
      const uses = this.groupsOf.get(id) ?? [];
      uses.push({ groups: kernel.groups, key });
      this.groupsOf.set(id, uses);
    }
    return group;
  }

  /** Drops the bind groups of a buffer that is to be freed. */
  forget({ id }: Bindable): void {
    for (const { groups, key } of this.groupsOf.get(id) ?? []) groups.delete(key);
    this.groupsOf.delete(id);
  }

  private describe(files: readonly WgslName[], constants: Constants) {
    const { source, bindings, overrides } = compose(...files);
    const { device } = this;
    const layout = device.createBindGroupLayout({ entries: bindings });
    const descriptor: GPUComputePipelineDescriptor = {
      label: files.join('+'), // what a device's errors call it
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: {
        module: device.createShaderModule({ code: source }),
        entryPoint: 'main',
        constants: Object.fromEntries(Object.entries(constants).filter(([name]) => overrides.has(name))),
      },
    };
    const storage = bindings.map(({ binding }) => binding).filter((binding) => binding !== 0);
    return { descriptor, layout, bindings: storage };
  }

  private keep(key: string, parts: Omit<GpuKernel, 'groups'>): GpuKernel {
    const made = { ...parts, groups: new Map() };
    this.kernels.set(key, made);
    return made;
  }
}

function keyOf(files: readonly WgslName[], constants: Constants): string {
  return `${files.join('+')} ${JSON.stringify(constants)}`;
}
