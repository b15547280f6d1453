/** The processes with a GPU of their own that a run starts, found from outside. */
import { readdirSync, readFileSync } from 'node:fs';

/** Those that were started with `mark` in their environment. */
export function gpuProcesses(mark: string): number[] {
  const found: number[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (words.includes('process.node.js') && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`MARK=${mark}`))
        found.push(Number(pid));
    } catch {} // it has ended meanwhile
  }
  return found;
}

export async function until(what: () => boolean): Promise<void> {
  const end = Date.now() + 150_000;
  while (!what()) {
    if (Date.now() > end) throw new Error('it never came to pass');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
