/** How long a process has computed, on all of its threads, as Linux counts it. */
import { readFileSync } from 'node:fs';

/** Of Linux's counters, which user programs see in hundredths of a second. */
const TICKS = 100;

/** Seconds of processor time; null where nobody counts them, or of a process that is no more. */
export function processorTime(pid: number): number | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // Behind the name in parentheses, which may have any characters: utime and stime, 14th and 15th of all fields.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
