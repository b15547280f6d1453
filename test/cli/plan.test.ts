/** `plan`: its table and its JSON, rates that are kept, and what is refused. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generated } from './generated.js';
import { run } from './run.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'wiedemann-plan-'));
const RATES = join(FOLDER, 'rates.json');
afterAll(() => rmSync(FOLDER, { recursive: true }));

const SIZES = ['--rows', '3000', '--cols', '2000', '--nnz', '30000'];
const LARGE = ['plan', '--rows', '200000', '--cols', '100000', '--nnz', '2000000', '-p', '65521'];

let saving: Awaited<ReturnType<typeof run>>; // the run that wrote RATES
beforeAll(async () => {
  const words = ['plan', ...SIZES, '-p', '65521', '--threads', '1', '--budget', '0.2', '--json', '--save-rates', RATES];
  saving = await run(words);
});

test('a plan of sizes is a table, and its rates make the same plan and that of another size', async () => {
  const first = JSON.parse(saving.stdout);
  expect(first).toMatchObject({ schema: 1, command: 'plan', rows: 3000, cols: 2000, rank: 2000, isBound: true });
  const again = await run(['plan', ...SIZES, '-p', '65521', '--rates', RATES, '--json']);
  expect(JSON.parse(again.stdout).plans).toEqual(first.plans);

  const large = ['--rows', '2000000', '--cols', '1900000', '--nnz', '40000000', '--rank', '1000000'];
  const priced = ['plan', ...large, '65519', '--rates', RATES, '--devices', '1,4', '--price-per-hour', '2'];
  const { stdout, stderr, code } = await run(priced);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^plan for rank 1000000 of 2000000 x 1900000 mod 65519, 40000000 entries {3}method wiedemann/);
  const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(lines[0]).toEqual(['devices', '1', '4']);
  expect(lines[1]).toEqual(['block', '32 x 16', '128 x 64']);
  const cells = (name: string) => lines.find(([first]) => first === name)!.slice(1);
  const hours = cells('machine hours').map(Number);
  for (const [at, price] of cells('price').entries()) expect(Number(price) / hours[at]!).toBeCloseTo(2, 1);
  expect(cells('network')[0]).toBe('-');
  expect(cells('memory of a part')[0]).toBe('-');
  expect(hours.every((count) => count > 0)).toBe(true);
  expect(stdout).toContain('carried on from 3000 x 2000');
});

test('a rank that is not known is planned with its verification, so that no smaller one takes longer', async () => {
  const words = [...LARGE, '--rates', RATES];
  const totals = async (...rank: string[]): Promise<number[]> => {
    const { plans } = JSON.parse((await run([...words, '--json', ...rank])).stdout);
    return plans.map(({ seconds }: { seconds: { total: number } }) => seconds.total);
  };
  const unknown = await totals();
  for (const rank of ['100000', '99999', '99000', '60000'])
    for (const [at, total] of (await totals('--rank', rank)).entries()) expect(total).toBeLessThanOrEqual(unknown[at]!);
});

test('lines below the table count devices, and hours are written out', async () => {
  const words = ['plan', '--rows', '36200000', '--cols', '36200000', '--nnz', '9158600000', '65521', '--rates', RATES];
  const { stdout } = await run([...words, '--devices', '1,64']);
  expect(stdout).toMatch(/^machine hours( +\d+){2}$/m);
  expect(stdout).toMatch(/^1, 64 devices, steps: carried on from/m);
  const { stdout: alone } = await run([...words, '--devices', '1']);
  expect(alone).toMatch(/^1 device, steps: carried on from/m);
  // Searches that take a thousand times as long: fewer columns are quicker.
  const rates = JSON.parse(readFileSync(RATES, 'utf8'));
  for (const basis of rates.bases) for (const look of basis.looks) look.seconds *= 1000;
  const file = join(FOLDER, 'slow-searches');
  writeFileSync(file, JSON.stringify(rates));
  const { stdout: few } = await run([...LARGE, '--rates', file, '--devices', '8']);
  expect(few).toMatch(/^8 devices, quicker with --block \d+x\d+: [\d:. s]+$/m);
});

test('a plan of a file times its own products', async () => {
  const stdout = generated('random', '400', '300', '5', '101', '1');
  const words = ['plan', '-', '-p', '101', '--threads', '1', '--budget', '0.1', '--devices', '1', '--json'];
  const plan = JSON.parse((await run(words, { input: stdout })).stdout);
  expect(plan.rates.steps.map(({ rows, cols, nnz }: Record<string, number>) => [rows, cols, nnz])).toEqual([
    [400, 300, 2000],
  ]);
  expect(plan.plans[0].grounds[0]).toBe('steps: measured at this size');
});

test('a plan weighs no Schur complement that is zero', async () => {
  const stdout = generated('ch', '7', '7', '3');
  const words = ['plan', '-', '-p', '65521', '--rates', RATES, '--json'];
  const plan = JSON.parse((await run(words, { input: stdout })).stdout);
  expect(plan.doubts).toContain('method auto should take hybrid, which is not planned: the pivots are all there is');
});

test('a run in parts says what its stages should take by rates that are kept', async () => {
  const matrix = join(FOLDER, 'a.sms');
  writeFileSync(matrix, generated('random', '3000', '2000', '10', '65521', '1'));
  const folder = join(FOLDER, 'run');
  const words = ['run', 'plan', matrix, '-p', '65521', '--parts', '4', '-o', folder, '--rates', RATES];
  const { stderr, code } = await run(words);
  expect(code).toBe(0);
  expect(stderr.split('\n')[1]).toMatch(
    /^by these rates: part [\d.]+ s, generator [\d.]+ s, verify [\d.]+ s; [\d.]+ [kM]B of memory a part, [\d.]+ [kM]B the generator, [\d.]+ [kM]B in the folder$/,
  );
  const { plan, parts, block } = JSON.parse((await run([...words, '--json'])).stdout);
  expect([plan.devices, plan.block]).toEqual([parts, block]);
  // What the parts and the generator leave there, but for names and seals.
  for (const part of [0, 1, 2, 3]) await run(['run', 'krylov', folder, '--part', `${part}`, '--threads', '1']);
  await run(['run', 'generator', folder, '--threads', '1']);
  const { disk } = JSON.parse((await run(['status', folder, '--json'])).stdout);
  expect(disk.bytes / plan.bytes.disk).toBeGreaterThan(0.5);
  expect(disk.bytes / plan.bytes.disk).toBeLessThan(1.1);
});

test('parts are as many as pay by rates, where no number is asked for, and it is said why', async () => {
  const matrix = join(FOLDER, 'parts.sms');
  writeFileSync(matrix, generated('random', '40000', '40000', '3', '65521', '1'));
  const of = (name: string, ...words: string[]) =>
    run([...words, matrix, '-p', '65521', '-o', join(FOLDER, name), '--json']);
  const one = JSON.parse((await of('one', 'run', 'plan', '--rates', RATES)).stdout);
  expect([one.parts, one.plan.devices]).toEqual([1, 1]);
  expect(one.why).toMatch(
    /^1 part should take .* in all, reading included, and 2 not a third less, .*: by these rates of 1 thread$/,
  );
  // Steps that take a thousand times as long are worth machines.
  const rates = JSON.parse(readFileSync(RATES, 'utf8'));
  for (const steps of rates.steps) steps.step *= 1000;
  const slow = join(FOLDER, 'slow-steps');
  writeFileSync(slow, JSON.stringify(rates));
  const { stdout, stderr } = await of('many', 'slurm', 'plan', '--rates', slow);
  const many = JSON.parse(stdout);
  expect([stderr, many.parts > 1, Math.log2(many.parts) % 1, many.plan.devices]).toEqual(['', true, 0, many.parts]);
  expect(many.why).toMatch(new RegExp(`^${many.parts} parts should .*, and ${2 * many.parts} not a third less, `));
  expect(readFileSync(join(FOLDER, 'many/slurm_scripts/krylov.sbatch'), 'utf8')).toContain(
    `--array=0-${many.parts - 1}\n`,
  );
  const own = ['run', 'plan', matrix, '-p', '65521', '-o', join(FOLDER, 'here'), '--budget', '0.2'];
  const measured = await run(own);
  expect(measured.code).toBe(0);
  expect(measured.stderr.split('\n')[1]).toMatch(/: by rates measured here of \d+ threads?$/);
  const refusals = [
    [['run', 'plan', '--budget', '1', '--parts', '2'], 'run: --budget: expected neither --parts nor --rates'],
    [['slurm', 'plan', '--gpus-per-task', '1'], 'slurm: expected a number of parts, --tasks N, or --rates FILE'],
  ] as const;
  for (const [words, line] of refusals)
    expect(await of('refused', ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(line) });
  expect(existsSync(join(FOLDER, 'refused'))).toBe(false);
});

test.each([
  [['plan', '--rows', '3', '-p', '7'], 2, 'expected --rows, --cols and --nnz together'],
  [['plan', ...SIZES], 2, 'expected a prime modulus'],
  [['plan', 'a.sms', ...SIZES, '-p', '7'], 2, 'got both'],
  [['plan', '--rows', '3', '--cols', '3', '--nnz', '10', '-p', '7'], 65, 'at most 9 entries, got 10'],
  [['plan', ...SIZES, '-p', '2147483659'], 2, 'prime below 2^31'],
  [['plan', ...SIZES, '-p', '7', '--devices', '1,,8'], 2, '--devices: expected numbers'],
  [['plan', ...SIZES, '-p', '7', '--devices', '1,0'], 2, 'devices: expected numbers from 1 to 512, got 0'],
  [
    ['plan', '--rows', '3000000000', '--cols', '3', '--nnz', '9', '-p', '7'],
    65,
    'from 1 to 2147483647, got 3000000000',
  ],
  [
    ['plan', ...SIZES, '-p', '7', '--rank', '2001'],
    2,
    'plan: rank: expected at most 2000, the shorter side without empty lines, got 2001',
  ],
  [['plan', ...SIZES, '-p', '7', '--device', 'reference'], 2, 'expected auto, cpu or gpu'],
  [
    ['plan', ...SIZES, '-p', '7', '--rates', '/nowhere/rates'],
    65,
    '/nowhere/rates: expected rates that --save-rates has written, got no such file\n',
  ],
  [
    ['plan', ...SIZES, '65521', '--rates', RATES, '--budget', '5'],
    2,
    '--budget: expected rates that are measured here',
  ],
  [['plan', ...SIZES, '65521', '--rates', RATES, '--device', 'gpu'], 2, 'device: expected cpu, that of the rates'],
  [['plan', ...SIZES, '7', '--max-memory', '1G'], 2, '--max-memory: expected a FILE, sizes take none'],
  [['plan', ...SIZES, '7', '11'], 2, 'expected P beside sizes, got 2 words: 7 11'],
  [['plan', ...SIZES, '7', '--budget', '0'], 2, 'budget: expected seconds, more than 0, got 0'],
])('%j is refused in a line', async (words, expected, line) => {
  const { stdout, stderr, code } = await run(words);
  expect([stdout, code]).toEqual(['', expected]);
  expect(stderr).toContain(line);
  expect(stderr.trim().split('\n').length).toBe(1);
});

test('rates of another kind of prime, or damaged ones, are refused', async () => {
  const rates = { ...JSON.parse(readFileSync(RATES, 'utf8')) };
  const written = (data: object): string => JSON.stringify(data, null, 1);
  const lineOf = (text: string, what: string): number => text.slice(0, text.indexOf(what)).split('\n').length;
  const whole = written(rates);
  const lines = whole.split('\n');
  const words = ['plan', ...SIZES, '--rates', RATES];
  expect((await run([...words, '-p', '2147483647'])).stderr).toContain('(u32), got 65521 (u16)');
  const file = join(FOLDER, 'damaged');
  const cases: [text: string, line: number, what: string][] = [
    ['{', 1, 'got no JSON'],
    [`${lines.slice(0, 7).join('\n')}\n`, 8, 'got no JSON'],
    [whole.replace('"threads": ', '"threads": x'), lineOf(whole, '"threads"'), 'got no JSON'],
    ['{}', 1, 'a prime p'],
    [written({ ...rates, threads: 0 }), lineOf(whole, '"threads"'), 'a number of threads'],
    [written({ ...rates, steps: [...rates.steps, {}] }), lineOf(whole, '"bases"') - 1, 'steps with rows'],
    [written({ ...rates, bases: [] }), lineOf(whole, '"bases"'), 'bases that were timed'],
  ];
  for (const [text, line, what] of cases) {
    writeFileSync(file, text);
    const { stdout, stderr, code } = await run(['plan', ...SIZES, '-p', '65521', '--rates', file]);
    expect([stdout, code]).toEqual(['', 65]);
    expect(stderr).toMatch(/^[^\n]*\n$/);
    expect(stderr).toContain(`plan: ${file}:${line}: expected rates that --save-rates has written`);
    expect(stderr).toContain(what);
  }
});

test('a rank above the shorter side of a file is refused, empty lines left out', async () => {
  const input = '4 5 M\n1 1 1\n2 2 1\n3 3 1\n3 4 1\n0 0 0\n';
  const { stdout, stderr, code } = await run(['plan', '-', '-p', '7', '--rank', '4'], { input });
  expect([stdout, code]).toEqual(['', 2]);
  expect(stderr).toBe('plan: rank: expected at most 3, the shorter side without empty lines, got 4\n');
});

test('a plan of a matrix of few columns is for the devices that they serve', async () => {
  const input = '4 5 M\n1 1 1\n2 2 1\n3 3 1\n3 4 1\n0 0 0\n';
  const words = ['plan', '-', '-p', '65521', '--rates', RATES, '--json'];
  const { plans } = JSON.parse((await run(words, { input })).stdout);
  expect(plans.map(({ devices }: { devices: number }) => devices)).toEqual([1]);
  const { stderr, code } = await run([...words, '--devices', '1,4'], { input });
  expect([stderr, code]).toEqual(['plan: devices: expected at most 3, the columns of a block, got 4\n', 2]);
});

test.each([
  ['most lines are empty', '1000000000', '1000000000', '2', 2, 'measured at this size'],
  ['rows are many and columns few', '10000000', '2', '10000000', 1_000_000, 'carried on from'],
])('a plan of sizes keeps to its seconds where %s', async (_, rows, cols, nnz, most, ground) => {
  const sizes = ['--rows', rows, '--cols', cols, '--nnz', nnz];
  const words = ['plan', ...sizes, '-p', '65521', '--threads', '1', '--devices', '1', '--budget', '0.1', '--json'];
  const plan = JSON.parse((await run(words)).stdout);
  expect(plan).toMatchObject({ rows: Number(rows), cols: Number(cols), nnz: Number(nnz), rank: 2 });
  expect(Math.max(...plan.rates.steps.map(({ rows: timed }: { rows: number }) => timed))).toBeLessThanOrEqual(most);
  expect(plan.plans[0].grounds[0]).toContain(`steps: ${ground}`);
});

test('a plan of a dense size draws no more entries of a row than there are columns', async () => {
  const peak = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS));`;
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(peak)}`];
  const sizes = ['--rows', '20000', '--cols', '20000', '--nnz', '400000000'];
  const words = ['plan', ...sizes, '-p', '65521', '--threads', '1', '--devices', '1', '--budget', '0.1', '--json'];
  const { code, stderr } = await run(words, { nodeOptions });
  expect(code).toBe(0);
  expect(Number(/peak (\d+)$/.exec(stderr)![1])).toBeLessThan(1_500_000); // kB
});
