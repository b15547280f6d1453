/** Node's options of a thread, where those of the program do not suit it; Node alone loads this. */
import type { WorkerOptions } from 'node:worker_threads';

/**
 * A thread has the options of Node that its program has; a program that is read from stdin, or stands on the command
 * line, may have one that says what its text is, by which no thread starts from a file. Such a thread has none.
 */
export function threadOptions(options: WorkerOptions = {}): WorkerOptions {
  const isText = process.execArgv.some((word) => word.startsWith('--input-type'));
  return isText ? { ...options, execArgv: [] } : options;
}
