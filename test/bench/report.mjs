/** The lines of a benchmark: printed as JSON with machine and commit, and remembered for `--record` (results.mjs). */
import { machine } from './machine.mjs';

export const reported = [];

let here;

/** Prints one line and gives it back. */
export function report(line) {
  here ??= machine();
  const whole = { ...line, ...here };
  reported.push(whole);
  console.log(JSON.stringify(whole));
  return whole;
}
