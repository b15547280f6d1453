/** What the caller's own code gives to the engine's thread, in memory that can be sent: chunks, texts, products. */
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import { describe } from '../../kernels/errors/describe.js';
import { HostError } from '../../kernels/errors/host-error.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { OptionError } from '../errors.js';
import { copyView } from '../io/byte-source.js';
import { chunkOf } from '../io/chunks.js';
import type { Call } from '../questions/messages.js';
import type { TuningStore } from '../questions/tuning-store.js';

/** A chunk of the caller's stream, null at its end. */
export function sendableChunk(step: unknown): Uint8Array | null {
  const bytes = chunkOf(step);
  // Shared memory may change on its way.
  return bytes === null || bytes.buffer instanceof ArrayBuffer ? bytes : copyView(bytes);
}

/** The text that a store has, where it is asked for one; HostError for its failure. */
export async function useStore(
  store: TuningStore | null | undefined,
  request: Extract<Call, { what: 'tuning' }>,
): Promise<Uint8Array | null> {
  const { method, key } = request;
  try {
    const value = await (method === 'set' ? store?.set(key, request.text) : store?.[method](key));
    return method === 'get' && typeof value === 'string' ? new TextEncoder().encode(value) : null;
  } catch (error) {
    throw new HostError(error instanceof Error ? error.message : String(error));
  }
}

/** What a store of a run has, where it is asked for something; OptionError where it gives what it should not. */
export async function useRunStore(
  store: CheckpointStore | undefined,
  request: Extract<Call, { what: 'store' }>,
): Promise<Uint8Array | null> {
  if (request.method === 'read') {
    const bytes: unknown = (await store?.read(request.name)) ?? null;
    if (bytes === null) return null;
    if (!(bytes instanceof Uint8Array))
      throw new OptionError(`checkpoint: expected a Uint8Array or null of read, got ${describe(bytes)}`);
    return copyView(bytes); // the store may keep what it gives
  }
  if (request.method === 'list') {
    const names: unknown = await store?.list();
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
      throw new OptionError(`checkpoint: expected an array of names of list, got ${describe(names)}`);
    return new TextEncoder().encode(JSON.stringify(names));
  }
  await (request.method === 'write' ? store?.write(request.name, request.bytes) : store?.remove(request.name));
  return null;
}

/** A product of the caller's operator. */
export function productOf(product: unknown, transposed: boolean): Uint32Array {
  if (product instanceof Uint32Array) return product.buffer instanceof ArrayBuffer ? product : copyView(product);
  const name = transposed ? 'applyTransposed' : 'apply';
  throw new StructureError(`operator.${name}: expected a Uint32Array, got ${describe(product)}`);
}
