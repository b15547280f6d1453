/** Kept runs whose manifest is lost in both places: the command that began one goes on, another one is refused. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../algorithms/checkpoint/manifest.js';
import { RunFolder } from '../../src/io/run-folder.js';
import { endingAt } from './ending-at.js';
import { endedAt, folder, RANK, stepsOf, whole, words } from './kept-rank.js';
import { run } from './run.js';

/** Both copies of the manifest of a run damaged, or gone. */
function loseManifest(name: string, how: 'damaged' | 'removed'): void {
  for (const each of ['manifest.json', 'manifest-copy.json']) {
    const path = join(folder, name, each);
    if (how === 'removed') rmSync(path);
    else writeFileSync(path, readFileSync(path, 'utf8').replace('"seed":"', '"seed":"1'));
  }
}

test.each(['damaged', 'removed'] as const)('a manifest %s in both places is made again, with its seed', async (how) => {
  const name = `lost-${how}`;
  await endedAt(name, 'SIGTERM', 3);
  const store = RunFolder.reading(join(folder, name));
  const [{ program: _, ...manifest }, done] = [(await readManifest(store))!, stepsOf(name)];
  loseManifest(name, how);
  const loud = words(name).filter((word) => word !== '-q');
  const stopped = await run(loud, { nodeOptions: endingAt('SIGTERM', 5, '-blocks-') });
  expect([stopped.code, stepsOf(name) > done]).toEqual([75, true]);
  expect(stopped.stderr).toContain(
    'warning: checkpoint: the manifest, lost in both places, is made again from the arrays\n',
  );
  expect(await readManifest(store, (line) => expect.fail(line))).toEqual(manifest);
  expect(await run(words(name))).toEqual(whole);
});

test('without a manifest another question is refused, and nothing is touched', async () => {
  await endedAt('mistaken', 'SIGTERM', 2);
  loseManifest('mistaken', 'damaged');
  const here = join(folder, 'mistaken');
  const files = (): string[] => readdirSync(here).map((name) => `${name} ${readFileSync(join(here, name), 'latin1')}`);
  const before = files();
  const expected = 'expected the command that began the run, since its manifest is lost in both places';
  const got = 'got another one, or arrays that show no seed: begin in a new folder';
  const stderr = `rank: checkpoint ${here}: ${expected}, ${got}\n`;
  expect(await run(words('mistaken', '--no-verify'))).toEqual({ code: 65, stdout: '', stderr });
  expect(files()).toEqual(before);
  expect(await run(words('mistaken'))).toEqual(whole);
});

test('every array damaged, the manifest too: still the rank', async () => {
  await endedAt('damaged', 'SIGTERM', 3);
  const names = readdirSync(join(folder, 'damaged'));
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) {
    const bytes = readFileSync(join(folder, 'damaged', name));
    bytes[bytes.length >> 1]! ^= 4;
    writeFileSync(join(folder, 'damaged', name), bytes);
  }
  const { code, stdout, stderr } = await run(words('damaged').filter((word) => word !== '-q'));
  expect([code, stdout]).toEqual([0, `${RANK}\n`]);
  for (const name of ['manifest.json', 'manifest-copy.json'])
    expect(stderr).toContain(`\nwarning: checkpoint: ${name} is damaged\n`);
});
