/** cuSPARSE through torch, in float32, as a process beside a benchmark. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('cusparse-spmm.py', import.meta.url));

export class Cusparse {
  /** One process for all matrices, since it takes seconds to start; matrices go through files in `folder`. */
  constructor(folder) {
    this.base = join(folder, 'matrix');
    this.process = spawn('python3', [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.on('error', ({ message }) => console.error(`cuSPARSE: ${message}`));
    this.process.stdin.on('error', () => {}); // it has ended: the next answer says so
    this.answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  /**
   * Microseconds by width, the device's copy bandwidth in GB/s as 'copy', and with a block size microseconds in blocks
   * as 'bsr WIDTH'; empty where there is no peer, which has printed the reason.
   */
  async times(a, widths, block = 0) {
    const { base } = this;
    const write = (what, words) =>
      writeFileSync(`${base}.${what}`, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    write('rowPtr', a.rowPtr);
    write('colIdx', a.colIdx);
    this.process.stdin.write(`${[base, block, a.rows, a.cols, ...widths].join(' ')}\n`);
    const { value, done } = await this.answers.next();
    for (const what of ['rowPtr', 'colIdx']) rmSync(`${base}.${what}`);
    if (done) return new Map();
    return new Map(Object.entries(JSON.parse(value)).map(([key, us]) => [/^\d/.test(key) ? Number(key) : key, us]));
  }

  end() {
    this.process.stdin.end();
  }
}
