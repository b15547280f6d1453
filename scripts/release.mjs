/**
 * A release, as far as what a registry is given: the version is written, everything tested, packed and tagged.
 *
 *   npm run release -- VERSION [--dry-run]
 *
 * CHANGELOG.md has a heading `## VERSION — unreleased`, which gets the date. All or nothing: with --dry-run, after any
 * failure and after SIGINT, SIGTERM or SIGHUP the files, the branch and the tags are as they were, and there is no
 * tarball. Publishing the tarball is left to a hand.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const SOURCE = 'src/questions/version.ts';
const WRITTEN = ['package.json', 'package-lock.json', SOURCE, 'CHANGELOG.md'];
const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What keeps a release from being made, in one line. */
class Refusal extends Error {}

/** The signal that has ended the release, and the program that works at the moment. */
let [endedBy, working] = [null, null];
for (const signal of SIGNALS) {
  process.on(signal, () => {
    endedBy ??= signal;
    try {
      if (working) process.kill(-working.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error; // it has just ended
    }
  });
}

/**
 * Standard output of a program, in a group of processes of its own: a signal from the terminal reaches it through the
 * handler above, with all that it has started, and never while it `restores`.
 */
async function call(program, words, { stdout = 'pipe', stderr = 'pipe', restores = false } = {}) {
  if (endedBy && !restores) throw new Refusal(`ended by ${endedBy}`);
  const child = spawn(program, words, { detached: true, stdio: ['ignore', stdout, stderr] });
  if (!restores) working = child;
  const [told, warned] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ending(child)]);
  working = null;
  if (endedBy && !restores) throw new Refusal(`ended by ${endedBy}`);
  if (child.exitCode !== 0) {
    const why = warned.trim().split('\n', 1)[0];
    throw new Refusal(`${[program, ...words].join(' ')} failed${why ? `: ${why}` : ''}`);
  }
  return told.trim();
}

async function textOf(stream) {
  let text = '';
  for await (const piece of stream?.setEncoding('utf8') ?? []) text += piece;
  return text;
}

function ending(child) {
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}

const git = (...words) => call('git', words);
const gitAgain = (...words) => call('git', words, { restores: true });
const npm = (...words) => call('npm', words, { stdout: 'inherit', stderr: 'inherit' });

/** The changes of the version, from its heading to the next. */
function changesOf(version) {
  const [, ...sections] = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m);
  const heading = `## ${version} — unreleased\n`;
  const section = sections.find((text) => text.startsWith(heading));
  if (!section?.slice(heading.length).trim())
    throw new Refusal(`CHANGELOG.md: expected changes below '${heading.trim()}', got none`);
}

async function check(version) {
  if (!VERSION.test(version ?? '')) throw new Refusal(`expected a version such as 1.2.3, got ${version ?? 'none'}`);
  const changed = await git('status', '--porcelain');
  if (changed) throw new Refusal(`expected a clean tree, got changes: ${changed.replaceAll(/\s+/g, ' ')}`);
  if (await git('tag', '--list', `v${version}`)) throw new Refusal(`the tag v${version} is there already`);
  changesOf(version);
}

async function write(version) {
  await npm('version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
  writeFileSync(SOURCE, readFileSync(SOURCE, 'utf8').replace(/'[^']*'(?=;\n$)/, `'${version}'`));
  const today = new Date().toISOString().slice(0, 10);
  const text = readFileSync('CHANGELOG.md', 'utf8');
  writeFileSync('CHANGELOG.md', text.replace(`## ${version} — unreleased\n`, `## ${version} — ${today}\n`));
}

/** Packs what has been built into a folder, and says what it is. */
async function pack(folder) {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename, size, unpackedSize, files }] = JSON.parse(await call('npm', words, { stderr: 'inherit' }));
  for (const file of files) console.log(`${String(file.size).padStart(9)}  ${file.path}`);
  console.log(`${filename}: ${files.length} files, ${size} bytes, ${unpackedSize} unpacked`);
  return filename;
}

/** Commits, tags and puts the tarball in its place, which can fail last. */
async function keep(version, folder, tarball) {
  await git('commit', '--quiet', '--message', version, '--', ...WRITTEN);
  await git('tag', `v${version}`);
  try {
    copyFileSync(join(folder, tarball), tarball);
  } catch (error) {
    throw new Refusal(`${tarball} cannot be written: ${error.code}`);
  }
}

/** The tag, the branch and the files as they were at the commit `head`. */
async function restore(version, head) {
  if (await gitAgain('tag', '--list', `v${version}`)) await gitAgain('tag', '--delete', `v${version}`);
  await gitAgain('reset', '--quiet', '--soft', head);
  await gitAgain('checkout', '--quiet', head, '--', ...WRITTEN);
}

async function release(version, isDry) {
  await check(version);
  const head = await git('rev-parse', 'HEAD');
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  let isDone = false;
  try {
    await write(version);
    await npm('test');
    const tarball = await pack(folder);
    if (!isDry) {
      await keep(version, folder, tarball);
      isDone = true;
    }
    console.log(isDry ? 'nothing kept: a dry run' : `tagged v${version}; to publish: npm publish ${tarball}`);
  } finally {
    rmSync(folder, { recursive: true });
    if (!isDone) await restore(version, head);
  }
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
  if (positionals.length > 1) throw new Refusal(`expected one version, got ${positionals.join(' ')}`);
  await release(positionals[0], values['dry-run'] ?? false);
} catch (error) {
  console.error(`release: ${error.message.split('\n', 1)[0]}`);
  const isRefused = error instanceof Refusal || error.code?.startsWith('ERR_PARSE_ARGS');
  process.exitCode = endedBy ? 128 + constants.signals[endedBy] : isRefused ? 1 : 70;
}
