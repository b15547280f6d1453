/** Programs of documents: run as files beside the package, with the values that comments beside expressions show. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** `expression; // value, remark`: the line with the value printed behind its number. */
const SHOWN = /^([^\s/].*?);\s+\/\/ (\[.*?\]|'.*?'|true|false|null|-?\d+n?)(?=$|[,:; ])/;

/** Values as the pages write them. */
const SHOW = `function shown(v) {
  if (typeof v === 'string') return "'" + v + "'";
  if (typeof v === 'bigint') return v + 'n';
  return v?.length === undefined ? String(v) : '[' + Array.from(v).join(', ') + ']';
}
`;

/** The blocks as one program: what comments show, and what it printed, a numbered line each. */
export async function runPrograms(
  blocks: readonly string[],
  root: string,
): Promise<{ readonly expected: string[]; readonly printed: string[] }> {
  const expected: string[] = [];
  const lines = blocks
    .join('\n')
    .split('\n')
    .map((line) => {
      const shown = /^(const|import) /.test(line) ? null : SHOWN.exec(line);
      if (shown === null) return line;
      const number = expected.push(shown[2]!) - 1;
      return `console.log('${number}: ' + shown(${shown[1]}));`;
    });
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-programs-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'wiedemann'));
    const file = join(folder, 'program.mjs');
    writeFileSync(file, `${SHOW}${lines.join('\n')}\n`);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    return { expected: expected.map((value, i) => `${i}: ${value}`), printed: stdout.trim().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
