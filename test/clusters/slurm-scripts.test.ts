/** Scripts for Slurm: a shell reads them as they are meant, whatever the folder's name is, and however a stage ends. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { slurmScripts } from '../../src/clusters/slurm-scripts.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'wiedemann-scripts-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

test.each(['/plain', '/a > b > c', "/it's", '/a $(touch x) `b`', '/-x "y" ; z', '/a\\b &'])('%s', (directory) => {
  const run = { directory, program: ['node', '/p q/cli.js'], tasks: 2, cpusPerTask: null, time: null, patience: 300 };
  const scripts = slurmScripts({ ...run, gpus: new Set(), bytes: null });
  for (const text of Object.values(scripts)) execFileSync('bash', ['-n'], { input: text });
  // The line of the stage, printed word by word in place of run.
  const line = scripts['verify.sbatch']!.split('\n').find((each) => each.includes(' run '))!;
  const [words, output] = line.replace(/ &$/, '').split(/ > (?=rank\.txt$)/);
  expect(output).toBe('rank.txt');
  const printed = (cores: NodeJS.ProcessEnv): string[] => {
    const env = { ...process.env, ...cores };
    return execFileSync('bash', ['-c', `printf '%s\\n' ${words}`], { env, encoding: 'utf8' })
      .trimEnd()
      .split('\n');
  };
  const expected = ['node', '/p q/cli.js', 'run', 'verify', directory, '--device', 'cpu'];
  expect(printed({})).toEqual(expected);
  expect(printed({ SLURM_CPUS_PER_TASK: '3' })).toEqual([...expected, '--threads', '3']);
});

interface Ending {
  readonly code: number; // of the stage
  readonly signal?: 'USR1' | 'TERM' | 'USR2'; // what Slurm sends to the shell before
  readonly restarts?: number; // of its job
  readonly stops?: number; // how many of these were wished
  readonly refusals?: number; // how often the controller says no
  readonly idle?: number; // time limits before this one at which nothing had been kept
  readonly keeps?: string; // what the stage has kept at its end
  readonly isDeaf?: boolean; // it keeps that at once, and ends by no signal that it can hear
  readonly isLost?: boolean; // bash has lost how it ended
}

/** By the script that has ended last: how many time limits have passed since something was kept, and what it said. */
let ended = { idle: 0, said: '' };

/** What the last task of an array asks scontrol, and how long it sleeps before, once its stage has ended so. */
function asked(ending: Ending): string[] {
  const { code, signal, restarts = 0, stops = 0, refusals = 0, idle = 0, keeps, isDeaf, isLost } = ending;
  const directory = mkdtempSync(join(FOLDER, 'ending-'));
  const [here, asked] = [join(directory, 'slurm_scripts'), join(directory, 'asked')];
  mkdirSync(here);
  if (stops > 0) writeFileSync(join(here, 'stops-7'), '\n'.repeat(stops));
  if (idle > 0) writeFileSync(join(here, 'idle-7'), '\n'.repeat(idle));
  // Of an attempt before, of another part, and of the part that has not ended: none of them counts.
  const others = ['attempt-1-part-0002-vectors-0', 'attempt-1-part-0012-vectors-0', 'part-2-progress.json'];
  writeFileSync(join(directory, others[0]!), '');
  const keep = [...others.slice(1), ...(keeps === undefined ? [] : [keeps])].map((name) => join(directory, name));
  const awaits = `trap '/bin/sleep 0.05; touch ${keep.join(' ')}; exit ${code}' USR1; while :; do kill -${signal} "$PPID"; /bin/sleep 0.1; done`;
  const deaf = `/bin/sleep 0.05; touch ${keep.join(' ')}; trap "" USR1; while :; do kill -${signal} "$PPID"; /bin/sleep 0.1; done`;
  const stage = isDeaf
    ? deaf
    : signal === undefined
      ? `/bin/sleep 0.05; touch ${keep.join(' ')}; exit ${code}`
      : awaits;
  const tells = `#!/bin/sh\necho "\${0##*/} $*" >> ${asked}\n`;
  // What is longer than the pauses before scontrol is how long a stage may take to end.
  const grace = `#!/bin/sh\n[ "$1" -lt 60 ] || exec /bin/sleep ${isDeaf ? 0.3 : 30}\n`;
  writeFileSync(join(directory, 'sleep'), grace + tells, { mode: 0o755 });
  const scontrol = `${tells}[ "$(grep -c scontrol ${asked})" -gt ${refusals} ] && [ -z "$SLURM_CLUSTERS" ]\n`;
  writeFileSync(join(directory, 'scontrol'), scontrol, { mode: 0o755 });
  const run = { directory, program: ['sh', '-c', stage], tasks: 3, cpusPerTask: null, time: null, patience: 300 };
  const script = slurmScripts({ ...run, gpus: new Set(), bytes: null })['krylov.sbatch']!;
  expect(script).toContain('  ended=$?\n');
  const input = isLost ? script.replace('  ended=$?\n', '  ended=-1\n') : script;
  const ids = { SLURM_JOB_ID: '7', SLURM_ARRAY_JOB_ID: '7', SLURM_ARRAY_TASK_ID: '2' };
  const env = {
    ...process.env,
    ...ids,
    SLURM_RESTART_COUNT: `${restarts}`,
    SLURM_CLUSTERS: 'a,b', // those of which whoever submitted it had the choice: scontrol takes one
    PATH: `${directory}:${process.env['PATH']}`,
  };
  const { stdout, ...own } = spawnSync('bash', { input, env, timeout: 150_000, encoding: 'utf8' });
  expect(own).toMatchObject({ status: signal === 'USR2' ? 0 : code, signal: null });
  const linesOf = (name: string): number =>
    existsSync(join(here, name)) ? readFileSync(join(here, name), 'utf8').length : 0;
  ended = { idle: linesOf('idle-7'), said: stdout };
  expect(linesOf('stops-7')).toBe(stops + (signal !== 'USR2' && (code === 75 || signal === 'TERM' || isDeaf) ? 1 : 0));
  return existsSync(asked) ? readFileSync(asked, 'utf8').trimEnd().split('\n') : [];
}

// The number of the last task's job is the array's own.
const AGAIN = ['sleep 0', 'scontrol requeue 7_2'];

test.each<[string, Ending, string[]]>([
  ['killed: alone of its array', { code: 137 }, AGAIN],
  ['a full disk', { code: 74, restarts: 4 }, AGAIN],
  ['at an end that bash has lost: as one that was killed', { code: 137, isLost: true }, AGAIN],
  ['killed five times before: no more', { code: 137, restarts: 5 }, []],
  ['killed after time limits, which do not count', { code: 137, restarts: 20, stops: 16 }, AGAIN],
  ['wrong input: not at all', { code: 65 }, []],
  ['a time limit', { code: 75, signal: 'USR1', restarts: 20, stops: 20 }, AGAIN],
  ['preempted: Slurm does it by itself', { code: 75, signal: 'TERM' }, []],
  ['preempted, and killed before a checkpoint: Slurm does it by itself', { code: 143, signal: 'TERM' }, []],
  ['a time limit, and killed before a checkpoint', { code: 143, signal: 'USR1' }, AGAIN],
  ['stopped by nobody whom its job knows: not at all', { code: 75 }, []],
  [
    'a controller that starts again',
    { code: 137, refusals: 2 },
    [...AGAIN, 'sleep 5', AGAIN[1]!, 'sleep 10', AGAIN[1]!],
  ],
])('a job is queued again, %s', (_, ending, expected) => {
  expect(asked(ending)).toEqual(expected);
});

test('a part that another job has made, as USR2 tells, ends what makes it, and well', () => {
  expect(asked({ code: 75, signal: 'USR2', isDeaf: true })).toEqual([]);
});

test('a part that another job has made before this one starts anything is not begun', () => {
  const directory = mkdtempSync(join(FOLDER, 'made-'));
  mkdirSync(join(directory, 'slurm_scripts'));
  writeFileSync(join(directory, 'touch'), '#!/bin/sh\nkill -USR2 "$PPID"\n', { mode: 0o755 }); // the first that it runs
  const program = ['sh', '-c', `echo > ${directory}/begun; exit 65`];
  const run = { directory, program, tasks: 3, cpusPerTask: null, time: null, patience: 300 };
  const input = slurmScripts({ ...run, gpus: new Set(), bytes: null })['krylov.sbatch']!;
  const env = {
    ...process.env,
    PATH: `${directory}:${process.env['PATH']}`,
    SLURM_JOB_ID: '7',
    SLURM_ARRAY_TASK_ID: '2',
  };
  expect(spawnSync('bash', { input, env, timeout: 150_000 })).toMatchObject({ status: 0, signal: null });
  expect(existsSync(join(directory, 'begun'))).toBe(false);
});

test('a part that is made looks for late ones, and ends well whatever comes of that', () => {
  const run = { directory: '/a b', program: ['node', 'cli.js'], tasks: 2, cpusPerTask: null, time: null };
  const scripts = (patience: number | null) => slurmScripts({ ...run, patience, gpus: new Set(), bytes: null });
  const looking = "node cli.js slurm again '/a b' --unattended --patience 60";
  expect(scripts(60)['krylov.sbatch']).toContain(`[ "$code" != 0 ] || ${looking} >> look.log 2>&1\nexit "$code"\n`);
  expect(scripts(60)['look.sbatch']).toContain(`cd '/a b/slurm_scripts' || exit 74\nexec ${looking}\n`);
  for (const text of Object.values(scripts(null))) expect(text).not.toContain('slurm again');
});

const PART = 'attempt-1-part-0002-blocks-000000000-000000009';
const LATE = 'slurm: no checkpoint in 80 s: what came behind the last one is made again\n';
const IN_VAIN = 'slurm: 3 time limits in a row have passed with nothing kept: expected a longer --time\n';

test.each<[string, Ending, string[], typeof ended]>([
  ['a second one', { code: 75, signal: 'USR1', idle: 1 }, AGAIN, { idle: 2, said: '' }],
  ['a third one', { code: 75, signal: 'USR1', idle: 2 }, [], { idle: 3, said: IN_VAIN }],
  ['and something at the third', { code: 75, signal: 'USR1', idle: 2, keeps: PART }, AGAIN, { idle: 0, said: '' }],
  ['but it was preempted', { code: 75, signal: 'TERM', idle: 2 }, [], { idle: 2, said: '' }],
  ['but it was killed', { code: 137, idle: 2 }, AGAIN, { idle: 2, said: '' }],
  [
    'and something before it was preempted',
    { code: 75, signal: 'TERM', idle: 2, keeps: PART },
    [],
    { idle: 0, said: '' },
  ],
  ['and something before it was killed', { code: 137, idle: 2, keeps: PART }, AGAIN, { idle: 0, said: '' }],
  ['since no checkpoint comes', { code: 137, signal: 'USR1', isDeaf: true }, AGAIN, { idle: 1, said: LATE }],
  [
    'since none comes a third time',
    { code: 137, signal: 'USR1', isDeaf: true, idle: 2 },
    [],
    { idle: 3, said: LATE + IN_VAIN },
  ],
  [
    'behind what was kept before',
    { code: 137, signal: 'USR1', isDeaf: true, idle: 2, keeps: PART },
    AGAIN,
    { idle: 0, said: LATE },
  ],
])('nothing is kept before a time limit, %s', (_, ending, expected, left) => {
  expect(asked(ending)).toEqual(expected);
  expect(ended).toEqual(left);
});

/** What sbatch and scancel are asked by submit.sh, where sbatch prints such numbers, and what that prints. */
function submitted(numbers: readonly string[], ...words: string[]): { asked: string[]; said: string; code: number } {
  const directory = mkdtempSync(join(FOLDER, 'submit-'));
  const asked = join(directory, 'asked');
  mkdirSync(join(directory, 'slurm_scripts'));
  const tells = `#!/bin/sh\necho "\${0##*/} $*" >> ${asked}\n`;
  writeFileSync(join(directory, 'numbers'), numbers.map((number) => `${number}\n`).join(''));
  const prints = `sed -n "$(grep -c ^sbatch ${asked})p" ${join(directory, 'numbers')} | grep .\n`;
  writeFileSync(join(directory, 'sbatch'), tells + prints, { mode: 0o755 });
  writeFileSync(join(directory, 'scancel'), tells, { mode: 0o755 });
  const run = { directory, program: ['wiedemann'], tasks: 3, cpusPerTask: null, time: null, patience: 300 };
  const input = slurmScripts({ ...run, gpus: new Set(), bytes: null })['submit.sh']!;
  const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` };
  const { stdout, status } = spawnSync('sh', ['-s', '--', ...words], { input, env, encoding: 'utf8' });
  return { asked: readFileSync(asked, 'utf8').trimEnd().split('\n'), said: stdout, code: status! };
}

/** Of two words for one option sbatch takes the last. */
const behind = (job: number, own: string, ...words: string[]): string =>
  [`sbatch --parsable ${own} --dependency=afterok:${job}`, '--array=0 --kill-on-invalid-dep=yes', ...words].join(' ');

test('jobs wait for each other by their numbers, the first one for what it is told', () => {
  const own = '--mem 8G --dependency=afterok:9';
  expect(submitted(['1', '2', '3'], ...own.split(' '))).toEqual({
    asked: [
      `sbatch --parsable ${own} krylov.sbatch`,
      behind(1, own, 'generator.sbatch'),
      behind(2, own, 'verify.sbatch'),
    ],
    said: '1 2 3\n',
    code: 0,
  });
});

test('of several clusters all three jobs are of that which takes the first', () => {
  expect(submitted(['1;b', '2;b', '3;b'], '-M', 'a,b')).toEqual({
    asked: [
      'sbatch --parsable -M a,b krylov.sbatch',
      behind(1, '-M a,b', '--clusters=b generator.sbatch'),
      behind(2, '-M a,b', '--clusters=b verify.sbatch'),
    ],
    said: '1 2 3\n',
    code: 0,
  });
  const { asked, said, code } = submitted(['1;b', '2;b'], '-M', 'a,b');
  expect([asked.slice(3), said, code]).toEqual([['scancel --clusters=b 1 2'], '', 1]);
});
