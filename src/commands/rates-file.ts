/** Rates of a machine in a file, and what is planned from them as a reader likes it. */
import { readFileSync } from 'node:fs';
import { faultOfRates } from '../../algorithms/planning/machine-rates.js';
import { FormatError } from '../io/format-error.js';
import { jsonLines } from '../io/json-lines.js';
import type { MachineRates } from '../questions/plan.js';
import { bytesText } from './byte-count.js';
import { whatFailed } from './system-error.js';

const EXPECTED = 'rates that --save-rates has written';

export function readRates(file: string): MachineRates {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new FormatError(file, 0, EXPECTED, whatFailed(error));
  }
  const data = parsed(text);
  if (data === undefined) throw new FormatError(file, jsonLines(text).last, EXPECTED, 'no JSON');
  const fault = faultOfRates(data);
  if (fault === null) return data as MachineRates;
  const { members } = jsonLines(text);
  const line = members.get(fault.member) ?? members.get('')!; // what is missing is missing in the whole
  throw new FormatError(file, line, `${EXPECTED}: ${fault.expected}`, 'something else');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // which no JSON is
  }
}

/** Seconds for a reader: to two digits of the unit, or in hours, minutes and seconds. */
export function clock(seconds: number): string {
  if (seconds < 100) return `${Number(seconds.toPrecision(seconds < 1 ? 2 : 3))} s`;
  const whole = Math.round(seconds);
  const two = (n: number): string => String(n).padStart(2, '0');
  const [days, hours] = [Math.floor(whole / 86400), Math.floor(whole / 3600) % 24];
  return `${days > 0 ? `${days} d ` : ''}${hours}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

export function sizeText(bytes: number | null): string {
  if (bytes === null || bytes === 0) return '-';
  if (bytes < 1e9) return bytesText(Math.round(bytes));
  return bytes < 1e12 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e12).toFixed(1)} TB`;
}
