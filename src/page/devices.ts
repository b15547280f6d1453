/** What the page can compute on, and why no more: threads where it is isolated, a GPU where the browser has one. */
import { canShareMemory, cores, mayHaveGpu } from '#platform';
import { nameOf } from '../../kernels/gpu/adapter-name.js';

/** A sentence on threads and one on the GPU. */
export async function describeDevices(): Promise<string> {
  return `${threadsText()} ${await gpuText()}`;
}

function threadsText(): string {
  const count = cores();
  if (!canShareMemory())
    return 'One thread: this page is not cross-origin isolated, so that threads could not share memory.';
  return `Up to ${count} ${count === 1 ? 'thread' : 'threads'}: this page is isolated, and the machine has as many cores.`;
}

async function gpuText(): Promise<string> {
  if (!mayHaveGpu()) return 'No GPU: this browser has no WebGPU here.';
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (adapter === null) return 'No GPU: WebGPU found no adapter.';
  const name = nameOf(adapter.info);
  const isSoftware = (adapter.info as { isFallbackAdapter?: boolean }).isFallbackAdapter === true;
  return isSoftware
    ? `GPU: ${name}, in software, so taken only if it is asked for.`
    : `GPU: ${name}, taken where the run is long enough to gain.`;
}
