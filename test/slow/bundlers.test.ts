/**
 * What test/bundlers leaves out, because it takes long or is installed for it alone: every bundler with the other entry
 * and without cross-origin isolation, vite's dev server of the version before, Next, Bun and Deno. Needs Chromium and
 * the registry of npm.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBrowsers, ISOLATION, serve, visit } from '../browser/chromium.js';
import {
  BUN,
  buildPage,
  DENO,
  type Entry,
  FOR_PAGES,
  findsFiles,
  MATRIX,
  pageOf,
  programOf,
  RANK,
  writeMatrix,
} from '../bundlers/builds.js';
import { makeProject, type Project, run } from '../package/project.js';

const VITE_7 = '7.3.8';
const NEXT = '16.4.6';

let project: Project;
beforeAll(() => {
  project = makeProject();
  writeMatrix(project.folder);
}, 60_000);
afterAll(async () => {
  await closeBrowsers();
  project.remove();
}, 120_000); // some 100000 files

function install(...packages: string[]): void {
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', project.tarball, ...packages], project.folder);
}

describe.each(Object.keys(FOR_PAGES))('%s', (bundler) => {
  const entries: readonly Entry[] = findsFiles(bundler) ? ['wiedemann', 'wiedemann/inline'] : ['wiedemann/inline'];
  test.each(entries)('%s, isolated and not', async (entry) => {
    const out = await buildPage(project, FOR_PAGES[bundler]!, entry);
    for (const [headers, threads] of [
      [ISOLATION, 2],
      [{}, 1],
    ] as const) {
      const site = await serve(out, headers);
      try {
        expect(await visit(site.address)).toEqual({ value: RANK, threads });
      } finally {
        site.close();
      }
    }
  });
});

describe.each([
  [`bun@${BUN}`, 'bun', ['run']],
  [`deno@${DENO}`, 'deno', ['run', '--allow-all']],
])('%s', (name, runtime, words) => {
  beforeAll(() => install(name), 600_000);

  test.each(['wiedemann', 'wiedemann/inline'] as const)('%s', (entry) => {
    const file = project.write('unbundled.mjs', programOf(entry));
    const program = join(project.folder, 'node_modules/.bin', runtime);
    expect(run(program, [...words, file, MATRIX], project.folder)).toBe(`${RANK} 2\n`);
  });
});

test(`vite ${VITE_7} dev, as it is`, async () => {
  install(`vite@${VITE_7}`);
  const path = pathToFileURL(join(project.folder, 'node_modules/vite/dist/node/index.js')).href;
  const { createServer } = (await import(path)) as typeof import('vite');
  project.write('index.html', '<!doctype html><script type="module" src="./page.mjs"></script>\n');
  mkdirSync(join(project.folder, 'public'), { recursive: true });
  writeMatrix(join(project.folder, 'public'));
  for (const [entry, report] of [
    ['wiedemann/inline', { value: RANK, threads: 1 }],
    ['wiedemann', { error: expect.stringMatching(/use the entry wiedemann\/inline/) }],
  ] as const) {
    project.write('page.mjs', pageOf(entry));
    const server = await createServer({ root: project.folder, configFile: false, logLevel: 'error' });
    try {
      await server.listen();
      expect(await visit(server.resolvedUrls!.local[0]!)).toEqual(report);
    } finally {
      await server.close();
    }
  }
});

describe(`next ${NEXT}`, () => {
  beforeAll(() => {
    install(`next@${NEXT}`, 'react@19.3.1', 'react-dom@19.3.1');
    project.write('package.json', '{ "name": "program", "private": true }\n');
    project.write(
      'app/layout.js',
      'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
    );
    const route = (entry: Entry): string => `import { rank } from '${entry}';
export const dynamic = 'force-dynamic';
export async function GET() {
  try {
    const { value, threads } = await rank('${join(project.folder, MATRIX)}', { mod: 65521, threads: 2, method: 'wiedemann' });
    return Response.json({ value, threads });
  } catch (error) {
    return Response.json({ error: error.name + ': ' + error.message });
  }
}\n`;
    project.write('app/plain/route.js', route('wiedemann'));
    project.write('app/inline/route.js', route('wiedemann/inline'));
  }, 600_000);

  test.each([
    ['Turbopack', '--turbopack'],
    ['webpack', '--webpack'],
  ])('a server bundle of %s', async (_, bundler) => {
    const next = join(project.folder, 'node_modules/next/dist/bin/next');
    run(process.execPath, [next, 'build', bundler], project.folder);
    const server = spawn(process.execPath, [next, 'start', '--port', '0'], { cwd: project.folder, detached: true });
    try {
      const address = await addressOf(server);
      const answer = async (path: string): Promise<unknown> => (await fetch(new URL(path, address))).json();
      expect(await answer('inline')).toEqual({ value: RANK, threads: 2 });
      const plain = (await answer('plain')) as { error?: string };
      if (plain.error === undefined) expect(plain).toEqual({ value: RANK, threads: 2 });
      else expect(plain.error).toMatch(/use the entry wiedemann\/inline/);
    } finally {
      process.kill(-server.pid!, 'SIGKILL');
    }
  });
});

/** Where a server says that it listens. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /http:\/\/localhost:\d+/.exec(said);
      if (found) resolve(`${found[0]}/`);
    });
    server.on('exit', (code) => reject(new Error(`next start ended: exit ${code}\n${said}`)));
  });
}
