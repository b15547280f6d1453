/**
 * SIGINT, SIGTERM and SIGHUP caught for the length of a run, so that it cleans up; a second one ends the process at
 * once.
 *
 * A run that is kept takes SIGTERM and SIGUSR1, as schedulers send them before their limit, as a wish to end at a
 * checkpoint. Slurm sends SIGTERM again where a busy machine has not answered, and SIGKILL to what does not end: in a
 * job of Slurm a second SIGTERM is the same wish.
 */
import { type EndingSignal, InterruptedError, SIGNAL_CODES } from './usage-error.js';

export interface CaughtSignals {
  /** Aborted with an InterruptedError by the first signal. */
  readonly signal: AbortSignal;
  /** Aborted by the first signal that wishes a checkpoint. */
  readonly stop: AbortSignal;
  /** Leaves signals to the system again. */
  release(): void;
}

const STOPPING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGUSR1'];
const ENDING = Object.keys(SIGNAL_CODES) as EndingSignal[];

/** `isKept`: whether the run goes on from a checkpoint. */
export function catchSignals(isKept = false): CaughtSignals {
  const isOfSlurm = process.env['SLURM_JOB_ID'] !== undefined;
  const [controller, stopper] = [new AbortController(), new AbortController()];
  const stopping = isKept ? STOPPING : [];
  const ending = ENDING.filter((name) => !stopping.includes(name));
  const onEnding = (name: EndingSignal): void => {
    release();
    controller.abort(new InterruptedError(name));
  };
  const onStopping = (name: NodeJS.Signals): void => {
    stopper.abort();
    if (name === 'SIGTERM' && !isOfSlurm) process.removeListener(name, onStopping);
  };
  const release = (): void => {
    for (const name of ending) process.removeListener(name, onEnding);
    for (const name of stopping) process.removeListener(name, onStopping);
  };
  for (const name of ending) process.on(name, onEnding);
  for (const name of stopping) process.on(name, onStopping);
  return { signal: controller.signal, stop: stopper.signal, release };
}
