/** The benchmark of the Krylov step runs, checks what it times, and prints its line; in software its times say nothing. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { gpuMissing } from './gpu.js';

const BENCH = fileURLToPath(new URL('bench/bench.mjs', import.meta.url));

test.skipIf(gpuMissing)('gpu-krylov on a small matrix', () => {
  const words = [BENCH, 'gpu-krylov', '--family', 'ch 3 3 1', '--block', '4,2', '--steps', '8', '--gpus', '2'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const line = JSON.parse(stdout);
  expect(line).toMatchObject({ mod: 65521, block: [4, 2], us: { all: expect.any(Number) }, shared: { gpus: 2 } });
  expect(line.shared.each).toHaveLength(2);
});
