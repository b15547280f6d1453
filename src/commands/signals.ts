/**
 * SIGINT, SIGTERM and SIGHUP caught for the length of a run, so that it cleans up; a second one ends the process at
 * once.
 */
import { type EndingSignal, InterruptedError, SIGNAL_CODES } from './usage-error.js';

export interface CaughtSignals {
  /** Aborted with an InterruptedError by the first signal. */
  readonly signal: AbortSignal;
  /** Leaves signals to the system again. */
  release(): void;
}

const NAMES = Object.keys(SIGNAL_CODES) as EndingSignal[];

export function catchSignals(): CaughtSignals {
  const controller = new AbortController();
  const onSignal = (name: EndingSignal): void => {
    release();
    controller.abort(new InterruptedError(name));
  };
  const release = (): void => {
    for (const name of NAMES) process.removeListener(name, onSignal);
  };
  for (const name of NAMES) process.on(name, onSignal);
  return { signal: controller.signal, release };
}
