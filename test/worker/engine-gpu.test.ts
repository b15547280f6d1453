/** The GPU of an engine before anything needs it. */
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../src/worker/caller.js';
import { EngineGpu } from '../../src/worker/engine-gpu.js';
import { gpuMissing } from '../gpu.js';

describe.skipIf(gpuMissing)('a look for a GPU', () => {
  test('is told to whoever might end its thread meanwhile, and is over when the engine has left its GPU', async () => {
    const said: string[] = [];
    const gpu = new EngineGpu({ takesGpu: () => void said.push('taken') } as unknown as Caller);
    gpu.seek();
    expect(said).toEqual(['taken']);
    const found = gpu.sought().then(() => void said.push('found'));
    await gpu.leave();
    expect(said).toEqual(['taken', 'found']);
    await found;
  });
});
