/**
 * Workers that stop, by SIGSTOP, at the first vectors of a part that they keep: what is done to such a one is done in
 * the middle of the part, however busy the machine is.
 */
import { readFileSync } from 'node:fs';
import { endingAt } from '../cli/ending-at.js';
import { CLI } from '../cli/run.js';

const VECTORS = '-vectors-';

/** Node's options by which a worker sends itself a signal behind the last of the five operations on their file. */
export const atVectors = (signal: NodeJS.Signals, tick = 0): string[] => endingAt(signal, 5, VECTORS, tick);

/**
 * The same of a run that is uploaded, whose worker stops once Redis has said that it has them. The stage hears of that
 * a second after it goes on, so that what was sent to it meanwhile comes first.
 */
export const STOPS_UPLOADED: readonly string[] = (() => {
  const text = `
    import { createRequire } from 'node:module';
    import { isMainThread } from 'node:worker_threads';
    const { Redis } = isMainThread ? createRequire(${JSON.stringify(CLI)})('ioredis') : {};
    const written = Redis?.prototype.eval;
    if (Redis) Redis.prototype.eval = async function (...words) {
      const said = await written.apply(this, words);
      if (!String(words[3]).includes('${VECTORS}')) return said;
      Redis.prototype.eval = written;
      process.kill(process.pid, 'SIGSTOP');
      await new Promise((hears) => setTimeout(hears, 1000));
      return said;
    };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(text)}`];
})();

/** Whether a process of that number has been stopped. */
export function isStopped(pid: number): boolean {
  return /^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
