/**
 * What an adapter is called in reports: its model, and its driver where that is what its description says.
 *
 *   device      : the model as letters, digits and hyphens, 'nvidia-h200'; browsers leave it out
 *   description : of Dawn on Vulkan the driver, 'NVIDIA: 580.159.04', elsewhere often the model in words
 *
 * Choices that are kept for a GPU (src/worker/tuned-choices.ts) know it by this name, so two models of one driver have
 * two names. Source: WebGPU, "GPUAdapterInfo" and "normalized identifier string".
 */
type Info = Pick<GPUAdapterInfo, 'vendor' | 'architecture' | 'device' | 'description'>;

export function nameOf({ vendor, architecture, device, description }: Info): string {
  const model = trimHyphens(device);
  if (description === '') return [vendor, model || architecture].filter(Boolean).join(' ') || 'unnamed adapter';
  return model === '' || hyphenate(description).includes(model) ? description : `${model}, ${description}`;
}

/** Words as WebGPU normalises them. */
function hyphenate(words: string): string {
  return trimHyphens(words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
}

const trimHyphens = (text: string): string => text.replaceAll(/^-+|-+$/g, '');
