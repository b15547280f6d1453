/**
 * A program that has installed the package, in a folder of its own: the tarball that would be published is unpacked
 * into its node_modules, beside copies of the dependencies.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { packed } from './packed.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Project {
  readonly folder: string;
  /** The tarball. */
  readonly tarball: string;
  /** Writes a file of the program; its path. */
  write(name: string, text: string): string;
  remove(): void;
}

export function makeProject(): Project {
  // Not below the repository: its node_modules are not the program's.
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-project-'));
  const { tarball } = packed(inject('packed'));
  const installed = join(folder, 'node_modules/wiedemann');
  mkdirSync(installed, { recursive: true });
  run('tar', ['xzf', tarball, '-C', installed, '--strip-components', '1'], folder);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  }
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  write('package.json', '{ "name": "program", "private": true, "type": "module" }\n');
  return { folder, tarball, write, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) };
}

/** What a command writes to stdout; an error with all that it wrote if it fails. */
export function run(command: string, words: readonly string[], folder: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${error ?? `exit ${status}`}\n${stdout}${stderr}`);
  return stdout;
}
