/** Scripts for Slurm: a shell reads them as they are meant, whatever the folder's name is. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { slurmScripts } from '../../src/clusters/slurm-scripts.js';

test.each(['/plain', '/a > b > c', "/it's", '/a $(touch x) `b`', '/-x "y" ; z', '/a\\b &'])('%s', (directory) => {
  const run = { directory, program: ['node', '/p q/cli.js'], tasks: 2, gpusPerTask: 0, cpusPerTask: 3, time: null };
  const scripts = slurmScripts(run);
  for (const text of Object.values(scripts)) execFileSync('bash', ['-n'], { input: text });
  // The line of the stage, printed word by word in place of run.
  const line = scripts['verify.sbatch']!.split('\n').find((each) => each.includes(' run '))!;
  const [words, output] = line.replace(/ &$/, '').split(/ > (?=rank\.txt$)/);
  expect(output).toBe('rank.txt');
  const printed = execFileSync('bash', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' });
  const expected = ['node', '/p q/cli.js', 'run', 'verify', directory, '--device', 'cpu', '--threads', '3'];
  expect(printed.trimEnd().split('\n')).toEqual(expected);
});
