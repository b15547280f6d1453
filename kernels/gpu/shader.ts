/**
 * Shaders composed of WGSL files, and what a file says about itself: its bindings and the constants it can be given.
 *
 *   launch + words + residue prelude + affine (+ format prelude) + body
 */
import { WGSL, type WgslName } from '../generated/wgsl.js';

export type { WgslName };

/** Invocations of a workgroup, as `launch.wgsl` has them; WebGPU grants 256 everywhere. */
export const WORKGROUP = 256;

export interface Shader {
  readonly source: string;
  readonly bindings: GPUBindGroupLayoutEntry[]; // binding 0 is the parameters
  readonly overrides: ReadonlySet<string>;
}

const BINDING = /@binding\((\d+)\) var<(uniform|storage)(?:, (read_write|read))?>/g;
const OVERRIDE = /^override (\w+)/gm;
const COMPUTE = 4; // GPUShaderStage.COMPUTE, a global that Node does not have

export function compose(...names: WgslName[]): Shader {
  const source = names.map((name) => WGSL[name]).join('\n');
  const bindings = [...source.matchAll(BINDING)].map(([, binding, kind, access]): GPUBindGroupLayoutEntry => {
    if (kind === 'uniform') {
      return { binding: Number(binding), visibility: COMPUTE, buffer: { type: 'uniform', hasDynamicOffset: true } };
    }
    const type = access === 'read' ? 'read-only-storage' : 'storage';
    return { binding: Number(binding), visibility: COMPUTE, buffer: { type } };
  });
  return { source, bindings, overrides: new Set([...source.matchAll(OVERRIDE)].map(([, name]) => name!)) };
}
