/** The operator that a kept choice makes: its storage with its sizes, and none where the device does not have these. */
import { expect, test } from 'vitest';
import type { Executor, OperatorOptions } from '../../kernels/executor.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../../src/questions/options.js';
import { type KeptChoice, stringifyChoice } from '../../src/questions/tuning-store.js';
import type { Caller } from '../../src/worker/caller.js';
import { TunedChoices, tuningKey } from '../../src/worker/tuned-choices.js';

const HARDWARE = { device: 'gpu', adapter: 'a GPU' } as const;
const SETTINGS = { mod: 101n, threads: null, maxMemory: null, storage: null } as Settings;
const MATRIX = SparseMatrix.fromDense([
  [1, 2],
  [3, 1],
]).residues(101);

/** The options of an operator that is made, and what is said. */
async function operatorOf(choice: Pick<KeptChoice, 'storage' | 'sizes'>, refuse?: Error) {
  const text = stringifyChoice(tuningKey(HARDWARE, SETTINGS, MATRIX), { ...choice, threads: 1, products: [] });
  const call = async () => new TextEncoder().encode(text);
  const choices = new TunedChoices(SETTINGS, { call } as unknown as Caller);
  const made: OperatorOptions[] = [];
  const operator = (_: unknown, options: OperatorOptions) => {
    if (refuse) throw refuse;
    made.push(options);
    return {};
  };
  const found = await choices.on(HARDWARE).tunedOperator!({ operator } as unknown as Executor, MATRIX, {
    use: 'apply',
  });
  return { made, isThere: found !== null, said: choices.explanation };
}

test('sizes go with the storage that is kept, and with the one that is chosen unasked', async () => {
  const sizes = { window: 64, groups: 128 };
  expect((await operatorOf({ storage: 'csr', sizes })).made).toEqual([{ use: 'apply', storage: 'csr', sizes }]);
  expect((await operatorOf({ storage: 'auto', sizes })).made).toEqual([{ use: 'apply', sizes }]);
  expect(await operatorOf({ storage: 'auto', sizes: {} })).toMatchObject({ made: [], isThere: false });
});

test('sizes that the device does not have are not used, and said not to be', async () => {
  const refuse = new RangeError('workgroup: expected up to 256 invocations, got 512');
  const { isThere, said } = await operatorOf({ storage: 'auto', sizes: { workgroup: 512 } }, refuse);
  expect(isThere).toBe(false);
  expect(said[0]).toMatch(/^tuned: storage auto, workgroup 512, as was kept for gpu a GPU, /);
  expect(said.at(-1)).toBe('tuned: storage auto is not used: workgroup: expected up to 256 invocations, got 512');
});
