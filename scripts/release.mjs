/**
 * A release, as far as what a registry is given: the version is written, everything tested, packed and tagged.
 *
 *   npm run release -- VERSION [--dry-run]
 *
 * CHANGELOG.md has a heading `## VERSION — unreleased`, which gets the date. With --dry-run the files are as they were
 * in the end, and nothing is committed; so they are after any failure. Publishing the tarball is left to a hand.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const WRITTEN = ['package.json', 'package-lock.json', 'CHANGELOG.md'];
const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** What keeps a release from being made, in one line. */
class Refusal extends Error {}

const git = (...words) => execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

function npm(...words) {
  const { status } = spawnSync('npm', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Refusal(`npm ${words.join(' ')} failed`);
}

/** The changes of the version, from its heading to the next. */
function changesOf(version) {
  const [, ...sections] = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m);
  const heading = `## ${version} — unreleased\n`;
  const section = sections.find((text) => text.startsWith(heading));
  if (!section?.slice(heading.length).trim())
    throw new Refusal(`CHANGELOG.md: expected changes below '${heading.trim()}', got none`);
}

function check(version) {
  if (!VERSION.test(version ?? '')) throw new Refusal(`expected a version such as 1.2.3, got ${version ?? 'none'}`);
  const changed = git('status', '--porcelain');
  if (changed) throw new Refusal(`expected a clean tree, got changes: ${changed.replaceAll(/\s+/g, ' ')}`);
  if (git('tag', '--list', `v${version}`)) throw new Refusal(`the tag v${version} is there already`);
  changesOf(version);
}

function write(version) {
  npm('version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
  const today = new Date().toISOString().slice(0, 10);
  const text = readFileSync('CHANGELOG.md', 'utf8');
  writeFileSync('CHANGELOG.md', text.replace(`## ${version} — unreleased\n`, `## ${version} — ${today}\n`));
}

/** Packs what has been built, and says what it is. */
function pack() {
  const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts'], { encoding: 'utf8', maxBuffer: 1e8 });
  const [{ filename, size, unpackedSize, files }] = JSON.parse(told);
  for (const file of files) console.log(`${String(file.size).padStart(9)}  ${file.path}`);
  console.log(`${filename}: ${files.length} files, ${size} bytes, ${unpackedSize} unpacked`);
  return filename;
}

function release(version, isDry) {
  check(version);
  let isDone = false;
  try {
    write(version);
    npm('test');
    const tarball = pack();
    if (isDry) rmSync(tarball);
    else {
      git('commit', '--quiet', '--message', version, '--', ...WRITTEN);
      git('tag', `v${version}`);
      isDone = true;
    }
    console.log(isDry ? 'nothing kept: a dry run' : `tagged v${version}; to publish: npm publish ${tarball}`);
  } finally {
    if (!isDone) git('checkout', '--quiet', '--', ...WRITTEN);
  }
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
  if (positionals.length > 1) throw new Refusal(`expected one version, got ${positionals.join(' ')}`);
  release(positionals[0], values['dry-run'] ?? false);
} catch (error) {
  console.error(`release: ${error.message.split('\n', 1)[0]}`);
  process.exitCode = error instanceof Refusal || error.code?.startsWith('ERR_PARSE_ARGS') ? 1 : 70;
}
