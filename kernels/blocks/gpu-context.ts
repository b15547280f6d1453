/**
 * The common ground of the gpu executor's parts: the device, the field, and the choice of a kernel for a form of
 * vectors.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { Constants, GpuBuffer, GpuDevice, GpuKernel } from '../gpu/device.js';
import { fieldConstants } from '../gpu/field-constants.js';
import { type WgslName, WORKGROUP } from '../gpu/shader.js';
import { type FloatName, floatFormat } from '../residues/words.js';
import type { Team } from '../threads/team.js';
import type { Form, WordLayout } from './gpu-vector.js';

/** Released vectors that are kept: about as many as a step of an algorithm has of its own. */
const IDLE = 4;

export class GpuContext {
  readonly gpu: GpuDevice;
  readonly field: WordPrime;
  /** Threads that bring matrices into their storage. */
  readonly team: Team | undefined;
  private readonly constants: Constants;
  private readonly held = new Set<GpuBuffer>();
  private readonly spare = new Map<string, GpuBuffer>();
  private readonly idle: GpuBuffer[] = []; // of released vectors

  constructor(gpu: GpuDevice, field: WordPrime, team?: Team) {
    this.gpu = gpu;
    this.field = field;
    this.team = team;
    this.constants = fieldConstants(field);
  }

  /** A kernel on `Words` of a lane in this form; `body` may have a prelude of its own in front. */
  kernel(
    body: WgslName | readonly WgslName[],
    { form, words }: Pick<WordLayout, 'form' | 'words'>,
    constants: Constants = {},
  ): GpuKernel {
    const files: WgslName[] = [
      'launch',
      `words-${words}`,
      ...this.prelude(form),
      'affine',
      ...(typeof body === 'string' ? [body] : body),
    ];
    return this.gpu.kernel(files, { ...this.constants, WORKGROUP, ...constants });
  }

  /** The same with products in f32; TERMS is the caller's. */
  floatKernel(
    body: readonly WgslName[],
    { form, words }: Pick<WordLayout, 'form' | 'words'>,
    name: FloatName,
    constants: Constants,
  ): GpuKernel {
    const files: WgslName[] = ['launch', `words-${words}`, form === 'pairs' ? 'f32x2' : 'f32', ...body];
    const { p } = this.field;
    const BALANCED = floatFormat(name).residues === 'balanced' ? 1 : 0;
    return this.gpu.kernel(files, { P: p, BALANCED, INVERSE: Math.fround(1 / p), WORKGROUP, ...constants });
  }

  /** A kernel without the field's sums of products. */
  plainKernel(body: WgslName, constants: Constants = {}): GpuKernel {
    return this.gpu.kernel(['launch', body], { WORKGROUP, ...constants });
  }

  hold(buffer: GpuBuffer): GpuBuffer {
    this.held.add(buffer);
    return buffer;
  }

  buffer(bytes: number): GpuBuffer {
    return this.hold(this.gpu.buffer(bytes));
  }

  upload(words: Uint32Array): GpuBuffer {
    return this.hold(this.gpu.upload(words));
  }

  free(buffer: GpuBuffer): void {
    if (this.held.delete(buffer)) this.gpu.free(buffer);
  }

  /** A buffer of zeros for a vector: a released one where the size fits, since a device allocates slowly. */
  vectorBuffer(bytes: number): GpuBuffer {
    const at = this.idle.findIndex((buffer) => buffer.bytes === Math.max(16, Math.ceil(bytes / 16) * 16));
    if (at < 0) return this.buffer(bytes);
    const [buffer] = this.idle.splice(at, 1);
    this.gpu.clear(buffer!);
    return buffer!;
  }

  releaseVector(buffer: GpuBuffer): void {
    this.idle.push(buffer);
    if (this.idle.length > IDLE) this.free(this.idle.shift()!);
  }

  /** A place of its own name that grows to the largest size asked for and is used again and again. */
  scratch(name: string, bytes: number): GpuBuffer {
    const have = this.spare.get(name);
    if (have && have.bytes >= bytes) return have;
    if (have) this.free(have);
    const made = this.buffer(bytes);
    this.spare.set(name, made);
    return made;
  }

  freeAll(): void {
    for (const buffer of this.held) this.gpu.free(buffer);
    this.held.clear();
    this.spare.clear();
    this.idle.length = 0;
  }

  private prelude(form: Form): WgslName[] {
    if (form === 'pairs') return ['u16x2'];
    return this.field.isU16 ? ['u16'] : ['u32', 'u32-sums'];
  }
}
