/** A kept rank of a test file, in a folder of its own, and ends of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { deficientText } from './deficient-text.js';
import { endingAt } from './ending-at.js';
import { run } from './run.js';

export const P = '2147483629';
const SIZE = 700;
export const RANK = 650;

export const folder = mkdtempSync(join(tmpdir(), 'wiedemann-run-'));
export const file = join(folder, 'a.sms');
writeFileSync(file, deficientText(SIZE, RANK));
afterAll(() => rmSync(folder, { recursive: true }));

export const words = (name: string, ...more: string[]): string[] => {
  const kept = ['--run', join(folder, name), '--checkpoint-interval', '0'];
  return ['rank', file, '-p', P, '--block', '2x1', '--threads', '1', '-q', ...kept, ...more];
};

/** The run ended at the write of a piece of its sequence, from 1 on. */
export const endedAt = (name: string, signal: NodeJS.Signals, piece: number) =>
  run(words(name), { nodeOptions: endingAt(signal, 5 * piece, '-blocks-') });

export function stepsOf(name: string): number {
  return JSON.parse(readFileSync(join(folder, name, 'progress.json'), 'utf8')).done;
}

export const whole = { code: 0, stdout: `${RANK}\n`, stderr: '' };
