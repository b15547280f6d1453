/** Tasks of an array that stop in the middle (stops-once.cjs). */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Loaded into tasks by NODE_OPTIONS. */
export const STOPS = fileURLToPath(new URL('stops-once.cjs', import.meta.url));

/** The number of the process that makes a part, as its command line shows it, once it has stopped; null before. */
export function stoppedProcess(here: string, part: number): number | null {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0');
      const isPart = words.includes(here) && words[words.indexOf('--part') + 1] === `${part}`;
      if (isPart && /^State:\tT/m.test(readFileSync(`/proc/${entry}/status`, 'utf8'))) return Number(entry);
    } catch {
      // It has ended meanwhile.
    }
  }
  return null;
}
