/** Signals of a run that is kept: which are wishes to end at a checkpoint, and what a second one does. */
import { afterEach, expect, test, vi } from 'vitest';
import { catchSignals } from '../../src/commands/signals.js';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['by itself', undefined, 1],
  ['in a job of Slurm', '7', 0],
])('SIGTERM, %s', (_, job, removed) => {
  vi.stubEnv('SLURM_JOB_ID', job);
  const caught = catchSignals(true);
  const { length } = process.listeners('SIGTERM');
  process.listeners('SIGTERM').at(-1)!('SIGTERM');
  expect(caught.stop.aborted).toBe(true);
  expect(caught.signal.aborted).toBe(false);
  // A second one is left to the system, or is the same wish.
  expect(process.listeners('SIGTERM')).toHaveLength(length - removed);
  caught.release();
  expect(process.listeners('SIGTERM')).toHaveLength(length - 1);
});
