/** FFLAS-FFPACK's SpMM as a process beside the benchmark: compiled when its headers are installed, asked by lines. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('fflas-spmm.cpp', import.meta.url));
const HEADERS = ['/usr/include/fflas-ffpack/fflas/fflas_sparse.h', '/usr/include/givaro/modular.h'];

/** The program in `folder`, compiled into it where it is not there yet, or { missing: why }. */
export function compiledPeer(folder) {
  const program = join(folder, 'fflas-spmm');
  if (existsSync(program)) return { program };
  const missing = HEADERS.find((file) => !existsSync(file));
  if (missing) return { missing: `${missing} is not there (Debian: fflas-ffpack, libgivaro-dev)` };
  const flags = ['-O3', '-march=native', '-std=c++17', SOURCE, '-o', program, '-lgivaro', '-lgmp', '-lblas'];
  const { status, stderr, error } = spawnSync('g++', flags, { encoding: 'utf8' });
  if (error) return { missing: `g++: ${error.message}` };
  if (status !== 0) return { missing: stderr.split('\n').find((line) => /error|undefined|cannot/.test(line)) ?? 'g++' };
  return { program };
}

/** One matrix in the peer's memory, one thread; `variants` maps names to checksums. */
export class Peer {
  static async start(program, folder, matrix, p, width) {
    const file = join(folder, 'matrix.bin');
    const { rows, cols, rowPtr, colIdx, values } = matrix;
    const rowIdx = new Uint32Array(colIdx.length);
    for (let i = 0; i < rows; i++) rowIdx.fill(i, rowPtr[i], rowPtr[i + 1]);
    const words = [Uint32Array.of(rows, cols, colIdx.length), rowIdx, colIdx, values];
    writeFileSync(file, Buffer.concat(words.map((w) => Buffer.from(w.buffer, w.byteOffset, w.byteLength))));
    const child = spawn(program, [file, String(p), String(width)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' },
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ended before it had a product`);
    const variants = new Map(
      value
        .trim()
        .split(' ')
        .map((word) => [word.slice(0, word.lastIndexOf('=')), Number(word.slice(word.lastIndexOf('=') + 1))]),
    );
    return new Peer(child, lines, variants);
  }

  constructor(child, lines, variants) {
    this.child = child;
    this.lines = lines;
    this.variants = variants;
  }

  /** Milliseconds of one product: { wall, cpu }. */
  async time(variant) {
    this.child.stdin.write(`${variant}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`the peer ended in ${variant}`);
    const [wall, cpu] = value.split(' ').map(Number);
    return { wall, cpu };
  }

  end() {
    this.child.stdin.end();
  }
}
