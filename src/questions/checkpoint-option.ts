/**
 * The option `checkpoint`: where a run is kept. Only block Wiedemann and block Lanczos mod a word prime are kept;
 * whatever else is asked for beside it is refused.
 */
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import { describe } from '../../kernels/errors/describe.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import { OptionError } from '../errors.js';
import type { CancelSignal } from '../io/web-objects.js';
import { checkOptionNames } from '../option-names.js';
import type { AnyOptions, CheckpointSettings } from './options.js';
import { isAboutVectors, type Verb } from './verbs.js';

const INTERVAL = 60;

/** What keeps its runs, of questions that have other methods than a rank. Without a name a kernel is block Lanczos'. */
const METHODS: Readonly<Partial<Record<Verb, readonly string[]>>> = {
  solve: ['auto', 'hybrid', 'wiedemann', 'lanczos'],
  nullspace: ['auto', 'lanczos'],
};

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

export function checkpointOf(who: Verb, options: AnyOptions, mod: bigint, seed: bigint): CheckpointSettings | null {
  const { checkpoint } = options;
  if (checkpoint === undefined) return null;
  checkOptionNames('checkpoint', checkpoint, ['directory', 'store', 'interval', 'stop']);
  const { directory = null, store, interval = INTERVAL, stop } = checkpoint;
  if (store === undefined) checkDirectory(directory);
  else checkStore(store, directory);
  if (typeof interval !== 'number' || !Number.isFinite(interval) || interval < 0)
    throw new OptionError(`checkpoint: expected an interval in seconds, got ${describe(interval)}`);
  if (stop !== undefined && typeof (stop as Partial<CancelSignal> | null)?.aborted !== 'boolean')
    throw new OptionError(`checkpoint: expected stop to be an AbortSignal, got ${describe(stop)}`);
  checkBeside(who, options, mod);
  return { directory, interval, seed: options.seed === undefined ? null : seed };
}

function checkDirectory(directory: unknown): void {
  if (typeof directory !== 'string' || directory === '')
    throw new OptionError(`checkpoint: expected the path of a directory, or a store, got ${describe(directory)}`);
  if (nodeModule('node:fs') === undefined) throw new OptionError('checkpoint: expected a store, here are no folders');
}

function checkStore(store: unknown, directory: unknown): void {
  if (directory !== null) throw new OptionError('checkpoint: expected a directory or a store, got both');
  const { read, write, list, remove } = (store ?? {}) as Partial<CheckpointStore>;
  if (typeof store !== 'object' || ![read, write, list, remove].every((f) => typeof f === 'function'))
    throw new OptionError(`checkpoint: expected a store with read, write, list and remove, got ${describe(store)}`);
}

function checkBeside(who: Verb, options: AnyOptions, mod: bigint): void {
  const { formula, gpus, method = 'auto', reorder = 'none', certificate, pivots } = options;
  const sharesRows = isAboutVectors(who) && (method === 'auto' || method === 'lanczos');
  if (mod === 0n || mod > BigInt(MAX_SIZE))
    throw new OptionError(`checkpoint: expected a prime below 2^31, got ${mod}`);
  const kept = METHODS[who] ?? ['auto', 'hybrid', 'wiedemann'];
  if (!kept.includes(method)) {
    const why = method === 'elimination' ? ', which keeps nothing' : '';
    throw new OptionError(`checkpoint: expected method ${listed(kept)}, got ${method}${why}`);
  }
  if (formula === 'classical') throw new OptionError('checkpoint: expected formula shifted, got classical');
  if (gpus !== undefined && !sharesRows && options.checkpoint?.directory === undefined)
    throw new OptionError(`checkpoint: expected a directory beside gpus ${gpus}, got a store`);
  if (reorder !== 'none') throw new OptionError(`checkpoint: expected reorder none, got ${describe(reorder)}`);
  if (certificate) throw new OptionError('checkpoint: expected no certificate, which is not kept');
  if (pivots) throw new OptionError('checkpoint: expected no pivots, which are not kept');
}
