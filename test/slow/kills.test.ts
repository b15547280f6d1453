/**
 * `kill -9` at random moments of kept runs by the command line, real clocks and disks: each goes on until it ends, with
 * the right answer; what was kept stays, and no lock and no half of a file is in anybody's way.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CounterRandom } from '../../fields/random.js';
import { deficientText } from '../cli/deficient-text.js';
import { run } from '../cli/run.js';

/** Kills of each question: as many more as it takes until a start has gone on from what was kept. */
const KILLS = Number(process.env['KILLS'] ?? 50);
const MOST_KILLS = KILLS + 100;

const RANK = 3900;
const SYSTEM = 4000;
const SQUARE = 6000; // of a determinant and a minimal polynomial

let folder = '';
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-kills-'));
  writeFileSync(at('a.sms'), deficientText(RANK + 100, RANK));
  writeFileSync(at('t.sms'), (await run(['generate', 'trefethen', `${SYSTEM}`])).stdout);
  writeFileSync(at('d.sms'), (await run(['generate', 'trefethen', `${SQUARE}`])).stdout);
  writeFileSync(at('b.txt'), Array.from({ length: SYSTEM }, (_, i) => `${i % 7}\n`).join(''));
  const random = ['generate', 'random', '6000', '6000', '8', '65521', '1', '20'];
  writeFileSync(at('k.sms'), (await run(random)).stdout);
});
afterAll(() => rmSync(folder, { recursive: true }));

const answerOf = async (...words: string[]): Promise<string> => (await run([...words, '-p', '65521', '-q'])).stdout;

const kept = (dir: string): string[] => ['-p', '65521', '-q', '--run', dir, '--checkpoint-interval', '0'];
const stage = (...words: string[]): string[] => ['run', ...words, '-q', '--checkpoint-interval', '0', '--threads', '1'];

const QUESTIONS: readonly [name: string, commands: (dir: string) => string[][], answer: () => Promise<string>][] = [
  ['rank', (dir) => [['rank', at('a.sms'), '--block', '2x1', ...kept(dir)]], async () => `${RANK}\n`],
  [
    'det',
    (dir) => [['det', at('d.sms'), '--method', 'wiedemann', ...kept(dir)]],
    () => answerOf('det', at('d.sms'), '--method', 'elimination'),
  ],
  ['minpoly', (dir) => [['minpoly', at('d.sms'), ...kept(dir)]], () => answerOf('minpoly', at('d.sms'))],
  [
    'solve',
    (dir) => [['solve', at('t.sms'), at('b.txt'), '--method', 'wiedemann', ...kept(dir)]],
    () => answerOf('solve', at('t.sms'), at('b.txt'), '--method', 'elimination'),
  ],
  [
    'nullspace',
    (dir) => [['nullspace', at('k.sms'), '--method', 'lanczos', ...kept(dir)]],
    () => answerOf('nullspace', at('k.sms'), '--method', 'lanczos'),
  ],
  [
    'a rank in parts',
    (dir) => [
      ['run', 'plan', at('a.sms'), '-p', '65521', '--parts', '2', '--block', '4x2', '-o', dir],
      stage('krylov', dir, '--part', '0'),
      stage('krylov', dir, '--part', '1'),
      stage('generator', dir),
      stage('verify', dir),
    ],
    async () => `${RANK}\n`,
  ],
];

/** The furthest steps that each loop of a folder has kept. */
function stepsIn(dir: string): Map<string, number> {
  const steps = new Map<string, number>();
  const names = existsSync(dir) ? readdirSync(dir) : [];
  for (const name of names.filter((each) => /^[^.].*-(vectors|lanczos|combination|verification)-\d+$/.test(each))) {
    const bytes = readFileSync(join(dir, name));
    const loop = name.replace(/-\d+$/, '');
    const own = JSON.parse(bytes.subarray(0, bytes.indexOf(10)).toString()).steps;
    steps.set(loop, Math.max(own, steps.get(loop) ?? 0));
  }
  return steps;
}

test.each(QUESTIONS)('%s', async (name, commands, answer) => {
  const random = new CounterRandom(41n, 0);
  const wanted = await answer();
  const nameOf = (turn: string): string => at(`${name.replaceAll(' ', '-')}-${turn}`);
  expect(wanted).toMatch(/^\d/);
  let [kills, runs, further, draws] = [0, 0, 0, 0];
  // How long each command takes here, by a run of its own.
  const longest: number[] = [];
  for (const words of commands(nameOf('timed'))) {
    const start = performance.now();
    expect(await run(words)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
    longest.push(Math.ceil(performance.now() - start));
  }
  const isToBeKilled = (): boolean => kills < KILLS || (further === 0 && kills < MOST_KILLS);
  for (; isToBeKilled(); runs++) {
    const dir = nameOf(`${runs}`);
    let last = '';
    for (const [i, words] of commands(dir).entries()) {
      for (;;) {
        const moment = random.residueAt(draws++, longest[i]!);
        const taken = (kill: (signal: NodeJS.Signals) => void): void => {
          if (isToBeKilled()) setTimeout(() => kill('SIGKILL'), moment);
        };
        const before = stepsIn(dir);
        const { code, stdout, stderr } = await run(words, { taken });
        const after = stepsIn(dir);
        for (const [loop, steps] of before) {
          const now = after.get(loop) ?? Number.POSITIVE_INFINITY; // what the loop came to is kept
          expect(now, `${loop} after ${kills} kills`).toBeGreaterThanOrEqual(steps);
          if (now > steps) further++;
        }
        last = stdout;
        if (code !== null) {
          expect({ code, stderr }).toEqual({ code: 0, stderr: words.includes('plan') ? expect.any(String) : '' });
          break;
        }
        kills++;
      }
    }
    expect(last).toBe(wanted);
    expect(readdirSync(dir).filter((each) => each.startsWith('.'))).toEqual([]);
  }
  expect(further).toBeGreaterThan(0);
  console.log(`${name}: ${kills} kills in ${runs} runs, each ended right; ${further} times a loop went on further`);
});
