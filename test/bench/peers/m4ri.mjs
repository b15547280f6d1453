/** M4RI's elimination over GF(2) as a process beside the benchmark: compiled when its header is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('m4ri-rank.c', import.meta.url));
const HEADER = '/usr/include/m4ri/m4ri.h';

/** { program }, or { missing: why }. */
export function compiledM4ri(folder) {
  if (!existsSync(HEADER)) return { missing: `${HEADER} is not there (Debian: libm4ri-dev)` };
  const program = join(folder, 'm4ri-rank');
  const flags = ['-O3', '-march=native', SOURCE, '-o', program, '-lm4ri'];
  const { status, stderr, error } = spawnSync('gcc', flags, { encoding: 'utf8' });
  if (error) return { missing: `gcc: ${error.message}` };
  return status === 0
    ? { program }
    : { missing: stderr.split('\n').find((line) => /error|cannot/.test(line)) ?? 'gcc' };
}

/** One random matrix in the peer's memory. */
export class M4ri {
  constructor(program, n, rank) {
    this.child = spawn(program, [n, rank].map(String), {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, OMP_NUM_THREADS: '1' },
    });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Milliseconds and rank of one run; `kind` is ple or russian. */
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
