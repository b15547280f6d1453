/** A store of arrays in Redis: the laws of a store, in pieces, and what is left in Redis. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redis as Client } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { FetchedMatrices } from '../../src/clusters/fetched-matrices.js';
import { finishRun, readPlan, runStage } from '../../src/clusters/kept-plan.js';
import { RedisCommands } from '../../src/clusters/redis-commands.js';
import { takeBack, upload, uploadId } from '../../src/clusters/upload.js';
import { OverError, UploadedRun } from '../../src/clusters/uploaded-run.js';
import { ThreadedEngine } from '../../src/engine/engine.js';
import { RunFolder } from '../../src/io/run-folder.js';
import { deficientText } from '../cli/deficient-text.js';
import { run as runCli } from '../cli/run.js';
import { type Redis, redisMissing, startRedis } from './redis.js';

const PIECE = 100;

let folder = '';
let redis: Redis | undefined;
let connection = { host: '127.0.0.1', port: 0 };
let client: Client;
let commands: RedisCommands;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-uploaded-'));
  if (redisMissing !== null) return;
  redis = await startRedis(folder);
  connection = { host: '127.0.0.1', port: Number(new URL(redis.url).port) };
  client = new Client(connection);
  commands = await RedisCommands.open(connection);
});
afterAll(async () => {
  client?.disconnect();
  commands?.close();
  await redis?.end();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await client?.flushall();
});

const runOf = (id = 'one'): UploadedRun => new UploadedRun(commands, id, PIECE);

async function opened(): Promise<UploadedRun> {
  const run = runOf();
  await run.open();
  return run;
}

/** A run of rank 560 that is planned and uploaded: its matrix, its folder and its plan. */
async function planned(name: string, parts: number, block: string) {
  const [file, here] = [join(folder, `${name}.sms`), join(folder, name)];
  writeFileSync(file, deficientText(600, 560));
  const words = ['run', 'plan', file, '-p', '65521', '--parts', `${parts}`, '--block', block, '-o', here, '-q'];
  expect((await runCli(words)).code).toBe(0);
  const plan = await readPlan(here);
  await upload(runOf(uploadId(plan)), plan);
  return { file, here, plan };
}

const filled = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test.skipIf(redisMissing)('an array of any length is read as it was written, replaced and removed', async () => {
  await client.set('wiedemann:mine', 'of the user');
  const run = await opened();
  for (const length of [0, 1, PIECE, PIECE + 1, 10 * PIECE + 7]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) % 256);
    await run.write('a', bytes);
    expect(Buffer.from((await run.read('a'))!)).toEqual(Buffer.from(bytes));
    // A hash, the user's own key, and the pieces.
    expect(await client.dbsize()).toBe(2 + Math.ceil(length / PIECE));
  }
  await run.write('b-1.json', filled(3, 1));
  expect([...(await run.list())].sort()).toEqual(['a', 'b-1.json']);
  expect(await runOf('other').read('a')).toBeNull();
  await run.remove('a');
  await run.remove('none');
  expect(await run.read('a')).toBeNull();
  expect(await run.list()).toEqual(['b-1.json']);
  await run.remove('b-1.json');
  expect((await client.keys('*')).sort()).toEqual(['wiedemann:mine', 'wiedemann:{one}']);
  const ages = await Promise.all((await client.keys('*')).map((key) => client.ttl(key)));
  expect(ages).toEqual([-1, -1]); // neither goes by itself
});

test.skipIf(redisMissing)('who reads while others write meets one array whole', async () => {
  const run = await opened();
  await run.write('a', filled(5 * PIECE, 0));
  const others = [await RedisCommands.open(connection), await RedisCommands.open(connection)];
  let isOver = false;
  const write = async (own: RedisCommands, first: number): Promise<void> => {
    const store = new UploadedRun(own, 'one', PIECE);
    for (let k = first; k < 200; k += 2) await store.write('a', filled((1 + (k % 9)) * PIECE - 1, k));
  };
  const writing = Promise.all(others.map(write)).then(() => {
    isOver = true;
  });
  let reads = 0;
  for (; !isOver; reads++) {
    const bytes = (await run.read('a'))!;
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
  }
  await writing;
  expect(reads).toBeGreaterThan(10);
  expect(await client.dbsize()).toBe(1 + Math.ceil((await run.read('a'))!.length / PIECE));
  for (const other of others) other.close();
});

test.skipIf(redisMissing)('an array whose pieces are lost is one that its digest refuses', async () => {
  const run = await opened();
  await run.write('a', filled(3 * PIECE, 5));
  const { version } = (await run.entry('a'))!;
  await client.del(`wiedemann:{one}:${version}:1`);
  expect(await run.read('a')).toEqual(new Uint8Array(0));
});

test.skipIf(redisMissing)('a Redis without room keeps what it had, and takes more once it has room', async () => {
  const run = await opened();
  await run.write('a', filled(3 * PIECE, 1));
  const keys = (await client.keys('*')).sort();
  await client.config('SET', 'maxmemory', '1mb');
  const refusal = await run.write('a', filled(3 * PIECE, 2)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DeviceError);
  expect((refusal as Error).message).toBe(
    `redis 127.0.0.1:${connection.port}: its memory is full: with a larger \`maxmemory\`, \`wiedemann queue submit\` goes on`,
  );
  expect(await run.refusal()).toEqual(refusal);
  expect((await client.keys('*')).sort()).toEqual(keys);
  expect((await run.read('a'))![0]).toBe(1);
  await client.config('SET', 'maxmemory', '0');
  expect(await run.refusal()).toBeNull();
  expect((await client.keys('*')).sort()).toEqual(keys);
  await run.write('a', filled(3 * PIECE, 2));
  expect((await run.read('a'))![0]).toBe(2);
});

test.skipIf(redisMissing)('stages write while a run is open, whoever uploads it before, nobody later', async () => {
  const run = runOf();
  const put = () => run.put('a', [filled(2, 1)], 2, () => 'digest', ['none']);
  const gone = `redis 127.0.0.1:${connection.port}: it does not have the run: \`wiedemann queue submit\` uploads it again`;
  await expect(run.write('a', filled(1, 2))).rejects.toThrow(new DeviceError(gone));
  await expect(run.answer()).rejects.toThrow(new DeviceError(gone));
  expect(await put()).toBe(true);
  await run.open();
  expect(await put()).toBe(false);
  expect(await run.answer()).toBeNull();
  await run.write('attempt-1-part', filled(5 * PIECE, 3));
  await run.put(':matrix', [filled(PIECE, 1)], PIECE, () => 'digest', ['none', 'open']);
  await run.end({ value: 7 });
  await run.end({ value: 8 }); // of another stage of the same run: nothing changes
  expect(await run.answer()).toEqual({ value: 7 });
  expect(await run.list()).toEqual(['a']);
  expect(await put()).toBe(false);
  await expect(run.write('attempt-1-part', filled(1, 2))).rejects.toThrow(OverError);
  const keys = await client.keys('*');
  expect(keys.length).toBe(2);
  for (const key of keys) expect(await client.ttl(key)).toBeGreaterThan(86_400);
});

test.skipIf(redisMissing)(
  'stages in Redis leave the arrays that they leave in a folder, byte for byte',
  async () => {
    const { file, here, plan } = await planned('run', 2, '8x4');
    const run = runOf(uploadId(plan));
    const matrices = new FetchedMatrices();
    const { signal } = new AbortController();
    const fetched = await matrices.file(run, signal);
    expect(readFileSync(fetched, 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect(await matrices.file(run, signal)).toBe(fetched);
    // A temporary file that the system has removed comes again.
    rmSync(fetched);
    const again = await matrices.file(run, signal);
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect(existsSync(dirname(fetched))).toBe(false);
    const engine = new ThreadedEngine({});
    const stages = [{ kind: 'krylov', part: 0 }, { kind: 'krylov', part: 1 }, { kind: 'generator' }] as const;
    for (const stage of stages) {
      await runStage(engine, plan, stage, { threads: 1 });
      await runStage(engine, await readPlan(here, run), stage, { threads: 1, store: run, file: again });
      const [names, others] = [await run.list(), await RunFolder.reading(here).list()];
      // An order basis, and vectors of a check, are kept where finding them took longer than writing them takes, and
      // a phase is told of where the one before took long beside that.
      const isSure = (name: string): boolean => !/-basis-|-check-|^progress\.json$/.test(name);
      const surely = (some: readonly string[]) => some.filter(isSure).sort();
      expect(surely(names)).toEqual(surely(others));
      // Some tell the time that they took.
      const isTimed = (name: string): boolean => /-check-|progress\.json$/.test(name);
      for (const name of names.filter((each) => others.includes(each) && !isTimed(each)))
        expect(Buffer.from((await run.read(name))!).equals(readFileSync(join(here, name))), name).toBe(true);
    }
    await engine.dispose();
    // It is open: what there is stays, whatever the folder has, and the matrix goes there once.
    const version = async (name: string) => (await run.entry(name))!.version;
    const before = [await version(':matrix'), await version('manifest.json')];
    await run.remove('attempt-1-relations');
    await upload(run, plan);
    expect([await version(':matrix'), await version('manifest.json')]).toEqual(before);
    expect(await run.list()).not.toContain('attempt-1-relations');
    rmSync(file);
    await upload(run, plan);
    writeFileSync(file, '1 1 M\n1 1 1\n0 0 0\n');
    await upload(run, plan);
    expect(await version(':matrix')).not.toBe(before[0]);
    await matrices.remove();
    expect(existsSync(dirname(again))).toBe(false);
    // Taken back once it is over: what its parts had left goes.
    await run.write('outcome-1.json', readFileSync(join(here, 'manifest.json')));
    await takeBack(run, plan);
    expect(readdirSync(here)).not.toContain('outcome-1.json');
    await run.end({ value: 560 });
    // Whoever has the same plan has it all, too.
    const other = join(folder, 'run-of-another');
    mkdirSync(other);
    for (const directory of [here, other]) {
      await takeBack(run, { ...plan, directory });
      expect(readdirSync(directory)).toContain('outcome-1.json');
      expect(readdirSync(directory).filter((name) => name.startsWith('attempt-'))).toEqual([]);
    }
    expect(readdirSync(other).sort()).toEqual(readdirSync(here).sort());
    const kept = await Promise.all((await run.list()).map((name) => run.entry(name)));
    expect(await client.dbsize()).toBe(1 + kept.reduce((sum, entry) => sum + entry!.pieces, 0));
    for (const key of await client.keys('*')) expect(await client.ttl(key)).toBeGreaterThan(86_400);
  },
  320_000,
);

test.skipIf(redisMissing)('a matrix that is replaced while it is fetched is fetched again', async () => {
  const run = await opened();
  const put = (value: number): Promise<boolean> => {
    const [pieces, bytes] = [[filled(PIECE, value), filled(PIECE, value)], 2 * PIECE];
    const sha256 = createHash('sha256').update(filled(bytes, value)).digest('hex');
    return run.put(':matrix', pieces, bytes, () => sha256, ['open']);
  };
  await put(1);
  const matrices = new FetchedMatrices();
  const meanwhile = [() => put(2), () => put(3), () => run.end({ value: 7 })];
  const { signal } = new AbortController();
  const piece = run.piece.bind(run);
  run.piece = async (entry, i) => {
    if (i === 1 && meanwhile.length > 1) await meanwhile.shift()!();
    return piece(entry, i);
  };
  const fetched = await matrices.file(run, signal);
  expect(Buffer.from(readFileSync(fetched)).equals(filled(2 * PIECE, 3))).toBe(true);
  await put(4);
  run.piece = async (entry, i) => {
    if (i === 1) await meanwhile[0]!();
    return piece(entry, i);
  };
  await expect(matrices.file(run, signal)).rejects.toThrow(OverError);
  await matrices.remove();
  expect(existsSync(dirname(fetched))).toBe(false);
});

test.skipIf(redisMissing)(
  'two workers that make one part at the same time come to the rank',
  async () => {
    const { plan } = await planned('twice', 1, '4x2');
    const id = uploadId(plan);
    const engines = [new ThreadedEngine({}), new ThreadedEngine({})];
    const stage = { kind: 'krylov', part: 0 } as const;
    const made = engines.map((engine) => runStage(engine, plan, stage, { threads: 1, interval: 0, store: runOf(id) }));
    for (const { blocks } of await Promise.all(made)) expect(blocks).toBe(plan.blocks);
    const outcome = await finishRun(engines[0]!, plan, { threads: 1, store: runOf(id) });
    expect(outcome).toMatchObject({ value: 560, upperBound: 560, warnings: [] });
    for (const engine of engines) await engine.dispose();
  },
  320_000,
);

test.skipIf(redisMissing)('a matrix of CADO-NFS goes with the files beside it; a lost piece is told', async () => {
  // 2 rows, of which the file beside says that they have 3 columns.
  const words = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
  const own = join(folder, 'cado');
  mkdirSync(own);
  const [file, here] = [join(own, 'm.bin'), join(own, 'run')];
  writeFileSync(file, words(1, 0, 1, 1));
  writeFileSync(join(own, 'm.cw.bin'), words(1, 1, 0));
  const plan = ['run', 'plan', file, '-p', '7', '--parts', '1', '--input-format', 'cado', '-o', here, '-q'];
  expect(await runCli(plan)).toMatchObject({ code: 0 });
  const run = runOf('cado');
  await upload(run, await readPlan(here));
  const matrices = new FetchedMatrices();
  const { signal } = new AbortController();
  const fetched = await matrices.file(run, signal);
  expect(readFileSync(fetched.replace(/\.bin$/, '.cw.bin'))).toEqual(words(1, 1, 0));
  await matrices.remove();
  const { version } = (await run.entry(':matrix'))!;
  await client.del(`wiedemann:{cado}:${version}:0`);
  await expect(matrices.file(run, signal)).rejects.toThrow(/its matrix is not what was uploaded/);
  await upload(run, await readPlan(here));
  await matrices.file(run, signal);
  await matrices.remove();
});
