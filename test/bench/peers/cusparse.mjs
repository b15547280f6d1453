/** cuSPARSE through torch, in float32, as a process beside a benchmark. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('cusparse-spmm.py', import.meta.url));

/**
 * Microseconds by width, the device's copy bandwidth in GB/s as 'copy', and with a block size microseconds in blocks as
 * 'bsr WIDTH'; empty, with the reason printed, where there is no peer.
 */
export function cusparseTimes(folder, a, widths, block = 0) {
  const base = join(folder, 'matrix');
  const write = (what, words) =>
    writeFileSync(`${base}.${what}`, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  write('rowPtr', a.rowPtr);
  write('colIdx', a.colIdx);
  const args = [SCRIPT, base, ...[block, a.rows, a.cols, ...widths].map(String)];
  const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  for (const what of ['rowPtr', 'colIdx']) rmSync(`${base}.${what}`);
  if (stderr || status !== 0) {
    console.error(`cuSPARSE: ${(stderr || 'python3 is not there').trim().split('\n').at(-1)}`);
  }
  if (status !== 0) return new Map();
  return new Map(Object.entries(JSON.parse(stdout)).map(([key, us]) => [/^\d/.test(key) ? Number(key) : key, us]));
}
