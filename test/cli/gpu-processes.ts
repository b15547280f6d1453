/** The processes with a GPU of their own that a run starts, found from outside. */
import { readdirSync, readFileSync } from 'node:fs';

/** A variable of the environment that they take over: of this process's tests alone, which others may run beside. */
export const marked = (name: string): { MARK: string } => ({ MARK: `${name}-${process.pid}` });

/** Those that were started in an environment that is `marked` so. */
export function gpuProcesses(name: string): number[] {
  const mark = `MARK=${marked(name).MARK}`;
  const found: number[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (words.includes('process.node.js') && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark))
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
