/** A rank on several GPUs whose memory errs: one word in one of their processes is met, though nobody asks for that. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rankOfMatrix } from '../../dist/algorithms/block-wiedemann/rank.js';
import { orderBasisEngines } from '../../dist/algorithms/sigma-basis/create.js';
import { WordPrime } from '../../dist/fields/word-prime.js';
import { CpuExecutor } from '../../dist/kernels/executors/cpu.js';
import { Team } from '../../dist/kernels/threads/team.js';
import { RemoteProcess } from '../../dist/src/gpus/remote-process.node.js';
import { deficientMatrix } from '../algorithms/block-wiedemann/deficient-matrix.js';
import { gpuMissing, testGpu } from '../gpu.js';

const software = gpuMissing === null && (await testGpu()).software;

const [P, SIZE, RANK] = [65521, 1500, 1493];
const BLOCK = { m: 2, n: 2 }; // a column on each GPU
/** Milliseconds: two processes make all steps on the cores of one machine, in a minute where nobody else computes. */
const PATIENCE = 600_000;

const MET = expect.stringMatching(/^self-checks: 1 failed and were gone back from/);

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const ENTRY = pathOf('../../dist/src/gpus/process.node.js');
const ERRING = pathOf('erring-memory.mjs');

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

/** Two processes, the second with a word that changes behind so many batches of steps. */
function processes(errs: number): RemoteProcess[] {
  const options = ['--require', pathOf('../seldom-polls.cjs')];
  return [[], ['--import', ERRING]].map((more, j) => {
    const command = ['env', `ERRS=${errs}`, process.execPath, ...options, ...more, ENTRY];
    return new RemoteProcess(`process ${j + 1} of 2`, null, command);
  });
}

const title = 'a rank on two GPUs meets a word that changes in one of them';
test.skipIf(!software)(title, { timeout: PATIENCE }, async () => {
  const sequenceDevices = processes(3);
  const executor = new CpuExecutor(WordPrime.of(P), team);
  const hooks = { check: () => {}, onProgress: () => {} };
  const context = { ...orderBasisEngines(executor, team), executor, team, seed: 1n, ...hooks, sequenceDevices };
  try {
    const { checks, warnings, ...result } = await rankOfMatrix(context, deficientMatrix(SIZE, RANK, P), {
      block: BLOCK,
    });
    expect(result).toMatchObject({ rank: RANK, lowerBound: RANK, upperBound: RANK, attempts: 1 });
    expect([checks.sequence > 20, checks.basis, checks.failed, warnings]).toEqual([true, 1, 1, [MET]]);
  } finally {
    executor.dispose();
    await Promise.all(sequenceDevices.map((device) => device.end()));
  }
});
