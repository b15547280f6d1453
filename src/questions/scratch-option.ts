/**
 * The option `scratch` of a rank: a folder for what memory does not hold. Only block Wiedemann mod a word prime, on
 * threads, runs by pieces from a disk; whatever else is asked for beside it is refused.
 */
import { describe } from '../../kernels/errors/describe.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import { OptionError } from '../errors.js';
import type { AnyOptions, Device } from './options.js';

/** Options that pieces have no part in, and the value that is none. */
const OTHERS = { storage: 'auto', words: 'auto', reorder: 'none', certificate: false, pivots: false } as const;

export function scratchOf(options: AnyOptions, mod: bigint, device: Device): string | null {
  const { scratch, method = 'auto', formula = 'shifted', gpus } = options;
  if (scratch === undefined) return null;
  const expect = (what: string): never => {
    throw new OptionError(`scratch: expected ${what}`);
  };
  if (typeof scratch !== 'string' || scratch === '') expect(`the path of a directory, got ${describe(scratch)}`);
  if (nodeModule('node:fs') === undefined) expect('Node, here are no folders');
  if (mod === 0n || mod > BigInt(MAX_SIZE)) expect(`a prime below 2^31, got ${mod}`);
  if (method !== 'auto' && method !== 'wiedemann') expect(`method auto or wiedemann, got ${method}`);
  if (formula !== 'shifted') expect(`formula shifted, got ${formula}`);
  if (gpus !== undefined) expect(`one device, got gpus ${gpus}`);
  if (device === 'gpu' || device === 'reference') expect(`device auto or cpu, got ${device}`);
  for (const [name, none] of Object.entries(OTHERS)) {
    const value = options[name as keyof typeof OTHERS] ?? none;
    if (value !== none) expect(`${name} ${none}, got ${describe(value)}`);
  }
  return scratch;
}
