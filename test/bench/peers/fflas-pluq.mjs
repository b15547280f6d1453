/** FFLAS-FFPACK's PLUQ as a process beside the benchmark: compiled when its headers are installed, asked by lines. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('fflas-pluq.cpp', import.meta.url));
const HEADERS = ['/usr/include/fflas-ffpack/ffpack/ffpack.h', '/usr/include/givaro/modular.h'];
const OPENBLAS = '/usr/lib/x86_64-linux-gnu/openblas-serial';

/** { program, blas }, or { missing: why }. Its speed is its BLAS's: OpenBLAS where there is one. */
export function compiledPluq(folder) {
  const missing = HEADERS.find((file) => !existsSync(file));
  if (missing) return { missing: `${missing} is not there (Debian: fflas-ffpack, libgivaro-dev)` };
  const program = join(folder, 'fflas-pluq');
  const flags = ['-O3', '-march=native', '-std=c++17', '-w', SOURCE, '-o', program, '-lgivaro', '-lgmp'];
  const tries = [
    ['OpenBLAS', [`-L${OPENBLAS}`, `-Wl,-rpath,${OPENBLAS}`, '-lopenblas']],
    ['the default BLAS (no OpenBLAS; Debian: libopenblas-serial-dev)', ['-lblas']],
  ];
  let why = 'g++';
  for (const [blas, words] of tries) {
    const { status, stderr, error } = spawnSync('g++', [...flags, ...words], { encoding: 'utf8' });
    if (status === 0) return { program, blas };
    why = error?.message ?? stderr.split('\n').find((line) => /error|undefined|cannot/.test(line)) ?? 'g++';
  }
  return { missing: why };
}

/** One random matrix in the peer's memory. */
export class FflasPluq {
  constructor(program, n, rank, p) {
    this.child = spawn(program, [n, rank, p].map(String), {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' },
    });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** { ms, rank } of one run; `kind` is double or balanced. */
  async time(kind) {
    this.child.stdin.write(`${kind}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`the peer ended in ${kind}`);
    const [ms, rank] = value.split(' ').map(Number);
    return { ms, rank };
  }

  end() {
    this.child.stdin.end();
  }
}
