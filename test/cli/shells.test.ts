/** Completion in three shells, the manual page, and the doctor: made of the verbs there are. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../tracked.js';
import { run } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-shells-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = (shell: string): string => join(folder, `script.${shell}`);
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await run(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(script(shell), stdout);
  }
});

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    console.warn(`completion in ${program} is not tested: ${program} is not here (apt install ${program})`);
    return false;
  }
};

/** What is completed: the words so far, the last one unfinished, and what is offered among others or alone. */
const CASES: readonly [words: string, offered: readonly string[]][] = [
  ['wiedemann n', ['nullspace']],
  ['wiedemann rank --dev', ['--device']],
  ['wiedemann rank --device g', ['gpu']],
  ['wiedemann rank --method ', ['auto', 'elimination', 'hybrid', 'wiedemann']],
  ['wiedemann nullspace --method ', ['auto', 'elimination', 'lanczos']],
  ['wiedemann info --input-format c', ['cado', 'cado-coeffs']],
  ['wiedemann generate trefethen-', ['trefethen-nb']],
];

describe.skipIf(!has('bash'))('bash', () => {
  test.each(CASES)('%s', (line, offered) => {
    const words = line.split(' ');
    const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _wiedemann; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['-c', program, 'bash', script('bash'), ...words], { encoding: 'utf8' });
    expect(out.trim().split('\n').sort()).toEqual(offered);
  });

  test('a word of another kind is a file, by readline, and the script is loaded twice without a word', () => {
    const program = `source "$1"; source "$1"; COMP_WORDS=(wiedemann rank da); COMP_CWORD=2; _wiedemann; echo "\${#COMPREPLY[@]}"; complete -p wiedemann`;
    const out = execFileSync('bash', ['-c', program, 'bash', script('bash')], { encoding: 'utf8' });
    expect(out).toBe('0\ncomplete -o default -F _wiedemann wiedemann\n');
  });
});

describe.skipIf(!has('zsh'))('zsh', () => {
  test('the script is one that zsh reads, and every description stays a description', () => {
    execFileSync('zsh', ['-n', script('zsh')]);
    const program = `autoload -U compinit; compinit -D -u; source $1; print $_comps[wiedemann]`;
    expect(execFileSync('zsh', ['-f', '-c', program, 'zsh', script('zsh')], { encoding: 'utf8' })).toBe('_wiedemann\n');
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  test.each(CASES)('%s', (line, offered) => {
    const program = `source ${script('fish')}; complete -C '${line}'`;
    const out = execFileSync('fish', ['--no-config', '-c', program], { encoding: 'utf8' });
    const words = out
      .trim()
      .split('\n')
      .map((row) => row.split('\t')[0]!);
    expect(words).toEqual(expect.arrayContaining([...offered]));
  });
});

describe('man', () => {
  const page = run(['man']).then(({ stdout }) => stdout);

  test('has every verb and option of the README, and every exit code', async () => {
    const text = (await page).replaceAll('\\-', '-');
    for (const [, verb] of textOf('README.md').matchAll(/^wiedemann (\w+) /gm))
      expect(text).toContain(`\n.SS ${verb}\n`);
    const options = [
      ...textOf('src/README.md')
        .split('## Exit codes')[0]!
        .matchAll(/^\| `.*?(--[\w-]+)/gm),
    ].map(([, option]) => option!);
    expect(options.length).toBeGreaterThan(25);
    for (const option of options.filter((name) => !['--version', '--input-format'].includes(name)))
      expect(text).toContain(option);
    for (const [, codes] of textOf('README.md')
      .split('| exit code | |')[1]!
      .split('\n\n')[0]!
      .matchAll(/^\| ([\d, ]+) \|/gm))
      for (const code of codes!.split(', ')) expect(text).toContain(`\n.B ${code}\n`);
  });

  test.skipIf(!has('groff'))('is roff without a warning', async () => {
    const out = execFileSync('groff', ['-man', '-Tutf8', '-ww', '-z'], {
      input: await page,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    expect(out.length).toBe(0);
  });
});

describe('doctor', () => {
  test('measures, and what is required is there', async () => {
    const { code, stdout, stderr } = await run(['doctor', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ schema: 1, command: 'doctor', ok: true, simd: true, rank: true, isolation: null });
    expect(found.threads).toBeGreaterThan(0);
    expect(found.products.perSecond).toBeGreaterThan(1e5);
    expect(found.memory.host).toBeGreaterThan(found.memory.heap / 64);
    expect(found.advice).toEqual(expect.any(Array));
  });

  test('says that there is no WebAssembly, and ends as without a device', async () => {
    const { code, stdout, stderr } = await run(['doctor'], { env: { NODE_OPTIONS: '--jitless' } });
    expect(code).toBe(69);
    expect(stdout).toMatch(/^webassembly {3}no WebAssembly, as under node --jitless$/m);
    expect(stdout).toContain('--device reference needs none');
    expect(stderr).toMatch(/^doctor: no WebAssembly, as under node --jitless/m);
  });

  test('says what is missing where there is no GPU, and that is no failure', async () => {
    const { code, stdout } = await run(['doctor'], {
      env: { VK_ICD_FILENAMES: '/nowhere.json', VK_DRIVER_FILES: '/nowhere.json' },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^threads {7}\d+$/m);
    expect(stdout).toMatch(/^gpu {11}none$/m);
    expect(stdout).toContain('npm install webgpu');
  });
});
