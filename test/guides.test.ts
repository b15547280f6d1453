/**
 * The guides: every block is run in a folder of its guide's own, in order, and what it writes to standard output is
 * what the guide shows. Blocks for a system that is not here are skipped, with what would enable them.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { CLI } from './cli/run.js';
import { gpuMissing } from './gpu.js';
import { runPrograms } from './programs.js';
import { textOf } from './tracked.js';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const GUIDES = readdirSync(join(ROOT, 'src/guides')).filter((name) => name.endsWith('.md') && name !== 'README.md');
const FENCE = /^```(.*)\n([\s\S]*?)^```$/gm;

interface Block {
  readonly language: string;
  readonly needs: string; // the system, of a console's block
  readonly text: string;
  readonly shown: string; // by the block `text` behind it
}

function blocksOf(page: string): Block[] {
  const found = [...page.matchAll(FENCE)];
  return found
    .map(([, info, text], k) => {
      const [language = '', needs = ''] = info!.split(' ');
      const next = found[k + 1];
      return { language, needs, text: text!, shown: next?.[1] === 'text' ? next[2]! : '' };
    })
    .filter(({ language }) => language !== 'text');
}

/** Programs that run a file of their language, and what would install them. */
const SYSTEMS: Readonly<
  Record<string, { readonly words: readonly string[]; readonly probe: readonly string[]; readonly install: string }>
> = {
  python: { words: ['python3', '-B'], probe: ['-c', 'import scipy.sparse'], install: 'python3-scipy' },
  gp: { words: ['gp', '-q', '-f'], probe: ['--version-short'], install: 'pari-gp' },
  gap: { words: ['gap', '-q', '-A', '--quitonbreak'], probe: ['--version'], install: 'gap-core' },
  macaulay2: { words: ['M2', '--script'], probe: ['--version'], install: 'macaulay2' },
};

/** Why the blocks of a system are skipped; null where it is here. */
const missing = new Map<string, string | null>(
  Object.entries(SYSTEMS).map(([language, { words, probe, install }]) => {
    try {
      execFileSync(words[0]!, [...probe], { stdio: 'pipe' });
      return [language, null];
    } catch {
      return [language, `${language} is not here (apt install ${install})`];
    }
  }),
);
missing.set('gpu', gpuMissing);
missing.set('parallel', isGnuParallel() ? null : 'GNU parallel is not here (apt install parallel)');
for (const why of missing.values()) if (why !== null) console.warn(`blocks of guides are skipped: ${why}`);

/** Another program of that name knows no --version. */
function isGnuParallel(): boolean {
  try {
    return execFileSync('parallel', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).startsWith('GNU parallel');
  } catch {
    return false;
  }
}

/** What a command writes to standard output, whatever its exit code. */
function outputOf(words: readonly string[], folder: string, input = ''): Promise<string> {
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path, XDG_CACHE_HOME: join(folder, 'cache'), PYTHONPATH: folder };
  return new Promise((done, failed) => {
    const child = spawn(words[0]!, words.slice(1), { cwd: folder, env });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', failed);
    child.on('close', () => done(output));
    child.stdin.on('error', () => {}); // a command that reads nothing may have ended
    child.stdin.end(input);
  });
}

async function consoleOf(text: string, folder: string): Promise<string> {
  const commands = text.split('\n').filter((line) => line.startsWith('$ '));
  let session = '';
  for (const command of commands) session += `${command}\n${await outputOf(['bash', '-c', command.slice(2)], folder)}`;
  return session;
}

describe.each(GUIDES)('%s', (guide) => {
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-guide-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(CLI, join(folder, 'bin', 'wiedemann'));
  copyFileSync(join(ROOT, 'src/python/wiedemann.py'), join(folder, 'wiedemann.py'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const page = textOf(`src/guides/${guide}`);
  const blocks = blocksOf(page);

  test('its fences are closed, its blocks are of languages that run, and its links lead somewhere', () => {
    expect(page.match(/^```/gm)?.length).toBe(2 * [...page.matchAll(FENCE)].length);
    const known = ['console', 'js', ...Object.keys(SYSTEMS)];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
    for (const [, link] of page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
      expect(existsSync(join(ROOT, 'src/guides', link!)), link).toBe(true);
  });

  const numbered = blocks.map((block, k) => [k + 1, block.language, block] as const);
  test.each(numbered.filter(([, language]) => language !== 'js'))('block %i runs: %s', async (_, language, block) => {
    const why = missing.get(block.needs || language) ?? null;
    if (why !== null) return void console.warn(`skipped: ${why}`);
    if (language === 'console') return void expect(await consoleOf(block.text, folder)).toBe(block.text);
    const file = join(folder, `block.${language}`);
    writeFileSync(file, `${block.text}${language === 'gap' ? 'QUIT;\n' : ''}`);
    const { words } = SYSTEMS[language]!;
    expect((await outputOf([...words, file], folder)).trim()).toBe(block.shown.trim());
  });

  const programs = blocks.filter(({ language }) => language === 'js').map(({ text }) => text);
  if (programs.length === 0) return;
  test('its programs run, and each value is the one beside it', async () => {
    for (const program of programs) {
      const { expected, printed } = await runPrograms([program], ROOT);
      expect(expected.length).toBeGreaterThan(0);
      expect(printed).toEqual(expected);
    }
  });
});

test('the list of guides has them all', () => {
  const listed = [...textOf('src/guides/README.md').matchAll(/\]\((\S+\.md)\)/g)].map(([, name]) => name!);
  expect(listed.sort()).toEqual([...GUIDES].sort());
});
