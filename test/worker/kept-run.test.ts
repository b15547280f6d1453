/** The end of a kept run of several GPUs: nothing of what their processes have still written stays in its folder. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { settings } from '../../src/questions/settings.js';
import { Caller } from '../../src/worker/caller.js';
import { openKeptRun } from '../../src/worker/kept-run.js';

const FOUND = {
  ...{ value: 2, lowerBound: 2, upperBound: 2, errorLog2: null, method: 'block-wiedemann', block: null },
  ...{ reason: null, explanation: [], seconds: {}, device: 'gpu', adapter: null, threads: 1 },
} as unknown as Parameters<Awaited<ReturnType<typeof openKeptRun>>['end']>[0];

/** Half written, by a process that there is not: numbers end before. */
const HALF = `.writing-${hostname().replace(/[^A-Za-z0-9.]/g, '.')}-4194305-attempt-1-part-0000-vectors-7`;

test.each([
  [2, []],
  [undefined, [HALF, 'attempt-1-part-0001-vectors-7']],
])('of %s GPUs', async (gpus, left) => {
  const directory = mkdtempSync(join(tmpdir(), 'wiedemann-late-'));
  const matrix = SparseMatrix.fromDense([
    [1, 2],
    [3, 4],
  ]);
  const asked = settings('rank', { mod: 65521, method: 'wiedemann', gpus, checkpoint: { directory } });
  const run = await openKeptRun('rank', matrix, asked, new Caller(() => {}));
  await run.checkpoint.keep('outcome-1.json', { outcome: {} });
  // A process that is killed while it keeps its vectors has written them, or a part of them.
  await run.checkpoint.keep('attempt-1-part-0001-vectors-7', {});
  await run.checkpoint.keep('attempt-2-part-0001-vectors-7', {});
  writeFileSync(join(directory, HALF), '');
  await run.end(FOUND);
  const names = readdirSync(directory).filter((name) => /attempt-/.test(name));
  expect(names.sort()).toEqual([...left, 'attempt-2-part-0001-vectors-7']);
  rmSync(directory, { recursive: true });
});
