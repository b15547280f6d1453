/** Jobs of Slurm that make the run of a folder, as squeue knows them by their scripts; sbatch and scancel. */
import { execFile } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { DeviceError } from '../../kernels/errors/device-error.js';

/** The file in which submit.sh leaves its words, each with a NUL behind it: what is submitted later takes them, too. */
export const WORDS = 'submit-words';

/** Of whatever name: `submit.sh --job-name` gives all of them another. */
const SCRIPT = /^(.*)\/(krylov|generator|verify|look)\.sbatch$/;

export interface SlurmJob {
  readonly id: string; // of an array's task the array's number and its own
  readonly script: string; // krylov, generator, verify or look
  readonly part: number | null; // of a task of an array
  readonly isAtWork: boolean; // else it waits, or is ending
  readonly since: number; // ms, when it has begun, or should; NaN where nobody knows
  readonly nodes: string;
}

/** Those of this user. */
export async function jobsOf(scripts: string): Promise<SlurmJob[]> {
  const places = [scripts, realpathSync(scripts)];
  const text = await ask('squeue', ['-h', '-r', '--me', '-o', '%i|%T|%S|%N|%o'], scripts);
  return text.split('\n').flatMap((line): SlurmJob[] => {
    const [id = '', state = '', start, nodes = '', ...command] = line.split('|');
    const [, place = '', script = ''] = SCRIPT.exec(command.join('|').trim()) ?? [];
    if (!places.includes(place)) return [];
    const task = /_(\d+)$/.exec(id)?.[1];
    const part = task === undefined ? null : Number(task);
    const isAtWork = state === 'RUNNING' || state === 'SUSPENDED';
    return [{ id, script, part, isAtWork, since: 1000 * Number(start), nodes }];
  });
}

/** The number of the job; further words are those of submit.sh. */
export async function submitJob(scripts: string, ...words: readonly string[]): Promise<string> {
  const number = await ask('sbatch', ['--parsable', ...submitWords(scripts), ...words], scripts);
  return number.trim().split(';')[0]!;
}

export async function cancelJobs(scripts: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await ask('scancel', ids, scripts);
}

/** The shell of a job is told that another job has made its part. */
export async function tellMade(scripts: string, id: string): Promise<void> {
  await ask('scancel', ['--batch', '--signal=USR2', id], scripts);
}

/** What submit.sh was told, but for which parts, and for what they were to wait. */
export function submitWords(scripts: string): string[] {
  let text = '';
  try {
    text = readFileSync(`${scripts}/${WORDS}`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // nobody has asked it yet
  }
  const words = text.split('\0').filter((word) => word !== '');
  const isApart = (word: string | undefined): boolean => /^(-[ad]|--array|--dependency)$/.test(word ?? '');
  const hasValue = (word: string): boolean => /^(-[ad].|--array=|--dependency=)/.test(word);
  return words.filter((word, i) => !isApart(word) && !isApart(words[i - 1]) && !hasValue(word));
}

/** What a command of Slurm prints; throws DeviceError with its line. */
export function ask(program: string, words: readonly string[], scripts: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, [...words], { cwd: scripts, env: environment() }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (error.code === 'ENOENT')
        reject(new DeviceError(`${program} is missing: expected the commands of Slurm in PATH`));
      else reject(new DeviceError(`${program}: ${(stderr || error.message).trim().split('\n')[0]}`));
    });
  });
}

/** Without what a job knows of itself, which sbatch would take for options; times are in seconds since 1970. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => (!name.startsWith('SLURM_') || name === 'SLURM_CONF') && name !== 'SBATCH_ARRAY_INX',
  );
  return { ...Object.fromEntries(kept), SLURM_TIME_FORMAT: '%s' };
}
