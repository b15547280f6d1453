/**
 * Ranks that begin on threads and go to a GPU where that pays by what their pivots leave: with 'auto', and with 'gpu'
 * where the GPU that there is may be hardware.
 */
import { mayHaveGpu, mayHaveHardware } from '#platform';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { weighGpu } from '../../algorithms/methods/choose.js';
import type { Presolved } from '../../algorithms/presolve/presolve.js';
import type { Settings } from '../questions/options.js';
import type { Verb } from '../questions/verbs.js';
import type { EngineGpu } from './engine-gpu.js';
import type { WordQuestion } from './word.js';

/** Whether a question goes by costs; options about a GPU's storage and memory ask for the GPU. */
export function isWeighed(verb: Verb, settings: Settings): boolean {
  const { device, method, block, formula, gpus, storage, words, maxGpuMemory } = settings;
  const isByChoice = verb === 'rank' && method === 'auto' && block === null && formula === 'shifted' && gpus === null;
  if (device === 'auto') return isByChoice && mayHaveGpu();
  return isByChoice && device === 'gpu' && storage === null && words === null && maxGpuMemory === null;
}

/** A GPU in software is quicker at nothing: where there is no other one, who asks for it gets it for everything. */
export async function isSoftware(gpu: EngineGpu): Promise<boolean> {
  return !mayHaveHardware() && (await gpu.sought()).software;
}

/** Whether a rank on these threads is quicker on a GPU from the start. */
export function weighAtStart({ settings }: WordQuestion, presolved: Presolved, { executor, team }: RunContext) {
  const { atLeast, maxMemory } = settings;
  const options = { atLeast: atLeast ?? undefined, maxBytes: maxMemory ?? undefined };
  return weighGpu(executor.field, team!, presolved, {}, options);
}

/** Where pivots are known a GPU comes later, if at all. */
export function onCpu(settings: Settings, isLater: boolean): Settings {
  return isLater || settings.device === 'auto' ? { ...settings, device: 'cpu' } : settings;
}
