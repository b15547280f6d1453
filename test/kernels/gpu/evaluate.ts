/** Shader functions by themselves: an expression on four words at a time. */

import type { WordPrime } from '../../../fields/word-prime.js';
import type { Constants } from '../../../kernels/gpu/device.js';
import { fieldConstants } from '../../../kernels/gpu/field-constants.js';
import { compose, type WgslName } from '../../../kernels/gpu/shader.js';
import { testGpu } from '../../gpu.js';

/** What `expression` gives behind `files` for each four words of `given`, four at a time: g. */
export async function evaluate(
  field: WordPrime,
  given: Uint32Array,
  expression: string,
  files: readonly WgslName[],
  more: Constants = {},
): Promise<Uint32Array> {
  const { device } = await testGpu();
  const { source, overrides } = compose('launch', 'words-4', ...files);
  const body = `
    @group(0) @binding(0) var<storage, read> given: array<array<Words, 4>>;
    @group(0) @binding(1) var<storage, read_write> out: array<Words>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
      if (id.x >= arrayLength(&out)) { return; }
      let g = given[id.x];
      ${expression}
    }`;
  const constants = Object.entries({ ...fieldConstants(field), ...more }).filter(([name]) => overrides.has(name));
  const pipeline = device.createComputePipeline({
    layout: 'auto',
    compute: {
      module: device.createShaderModule({ code: source + body }),
      constants: Object.fromEntries(constants),
    },
  });
  const count = given.length / 16;
  const [from, to, host] = [
    [given.byteLength, 0x80 | 0x8],
    [count * 16, 0x80 | 0x4],
    [count * 16, 0x1 | 0x8],
  ].map(([size, usage]) => device.createBuffer({ size: size!, usage: usage! })) as [GPUBuffer, GPUBuffer, GPUBuffer];
  device.queue.writeBuffer(from, 0, given as Uint32Array<ArrayBuffer>);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  const entries = [from, to].map((buffer, binding) => ({ binding, resource: { buffer } }));
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(count / 64));
  pass.end();
  encoder.copyBufferToBuffer(to, 0, host, 0, count * 16);
  device.queue.submit([encoder.finish()]);
  await host.mapAsync(1);
  const words = new Uint32Array(host.getMappedRange()).slice();
  for (const buffer of [from, to, host]) buffer.destroy();
  return words;
}
