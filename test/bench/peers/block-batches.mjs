/** cuBLAS and cuSPARSE on batches of block tridiagonal matrices, in float32, as a process beside a benchmark. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('block-batches.py', import.meta.url));

/** Milliseconds by kernel, and GB/s of a copy as `copy`; without those that are missing, whose reason is printed. */
export function blockBatchTimes(...sizes) {
  const { status, stdout, stderr } = spawnSync('python3', [SCRIPT, ...sizes.map(String)], { encoding: 'utf8' });
  if (status === 0) {
    if (stderr) console.error(stderr.trim());
    return JSON.parse(stdout);
  }
  console.error(`cuBLAS, cuSPARSE: ${(stderr || 'python3 is not there').trim().split('\n').at(-1)}`);
  return {};
}
