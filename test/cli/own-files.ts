/** Files of a test of the command line, in a folder that is removed after all tests of its file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll } from 'vitest';

export const SMALL = '3 4 M\n1 1 1\n1 3 -1\n2 1 2\n2 3 -2\n3 4 5\n0 0 0\n'; // row 2 is twice row 1: rank 2
export const SQUARE = '3 3 M\n1 1 2\n2 2 2\n3 3 5\n0 0 0\n'; // minimal polynomial (x - 2)(x - 5), determinant 20

type Texts = Readonly<Record<string, string | Uint8Array>>;

/** A function that writes files by their names, each call in a folder of its own, and gives that of their paths. */
export function ownFiles(): (texts: Texts) => (name: string) => string {
  let root = '';
  let number = 0;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'wiedemann-cli-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));
  return (texts) => {
    const folder = join(root, `${++number}`);
    mkdirSync(folder);
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    return (name) => join(folder, name);
  };
}

/** The path of a name in a folder where small.sms is SMALL, small.sms.gz the same compressed, and square.sms SQUARE. */
export function smallFiles(): (name: string) => string {
  const files = ownFiles();
  let at = (name: string): string => name;
  beforeAll(() => {
    at = files({ 'small.sms': SMALL, 'small.sms.gz': gzipSync(SMALL), 'square.sms': SQUARE });
  });
  return (name) => at(name);
}
