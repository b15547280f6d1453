/**
 * NVIDIA's GPUs as Linux shows them, since Vulkan through Dawn cannot tell two of one model apart: which GPUs there
 * are, which of them this process has opened, and how another process is kept to one of them.
 *
 *   bus : the PCI address, the GPU's identity
 *   minor : of its device node /dev/nvidia<minor>, character device 195:<minor>
 *
 * Opening a device opens its node again and again, and no other node; an enumeration opens all nodes
 * (test/bench/RESULTS.md#device-nodes). A process that finds /dev/null in place of a node does not see that GPU: bind
 * mounts of a mount namespace of its own do that, which root may have, and others in a user namespace. Environment
 * variables do not: Vulkan's own know models, not devices, NVIDIA's are ignored, and Mesa's device-select layer does
 * not keep to a bus address.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface NvidiaGpu {
  readonly bus: string;
  readonly minor: number;
}

const MAJOR = 195;
const CONTROL = 255; // the minor of /dev/nvidiactl

/** Those whose nodes are there, in the order of their addresses. */
export function nvidiaGpus(root = '/'): NvidiaGpu[] {
  const folder = join(root, 'proc/driver/nvidia/gpus');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((bus) => ({ bus, minor: minorOf(readFileSync(join(folder, bus, 'information'), 'utf8')) }))
    .filter(({ minor }) => existsSync(join(root, node(minor))));
}

function minorOf(information: string): number {
  return Number(/^Device Minor:\s*(\d+)/m.exec(information)?.[1] ?? Number.NaN);
}

function node(minor: number): string {
  return `/dev/nvidia${minor}`;
}

/**
 * Returns a function that tells which GPU this process has opened since: its address, or null unless it is exactly one.
 */
export function watchNvidia(): () => string | null {
  const gpus = process.platform === 'linux' ? nvidiaGpus() : [];
  if (gpus.length === 0) return () => null;
  const before = openDescriptors();
  return () => {
    const minor = onlyGrown(before, openDescriptors());
    return gpus.find((gpu) => gpu.minor === minor)?.bus ?? null;
  };
}

/** The only key whose count has grown. */
export function onlyGrown(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number | undefined {
  const grown = [...after].filter(([key, count]) => count > (before.get(key) ?? 0));
  return grown.length === 1 ? grown[0]![0] : undefined;
}

/** How often each GPU's node is open in this process, by minor number. */
function openDescriptors(): Map<number, number> {
  const counts = new Map<number, number>();
  for (const descriptor of readdirSync('/proc/self/fd')) {
    const rdev = deviceNumber(`/proc/self/fd/${descriptor}`);
    const [major, minor] = [(rdev >> 8) & 0xfff, rdev & 0xff];
    if (major === MAJOR && minor !== CONTROL) counts.set(minor, (counts.get(minor) ?? 0) + 1);
  }
  return counts;
}

/** 0 for a file that is no device, or that is closed by now. */
function deviceNumber(path: string): number {
  try {
    return statSync(path).rdev;
  } catch {
    return 0;
  }
}

/** A command line that runs `command` with all GPUs but one hidden. */
export function keepTo(bus: string, gpus: readonly NvidiaGpu[], command: readonly string[]): readonly string[] {
  const hidden = gpus.filter((gpu) => gpu.bus !== bus).map(({ minor }) => node(minor));
  return hide(hidden, command);
}

/** Words: how many files, they, and a command, which then has /dev/null in place of each of them. */
export const HIDING =
  'n=$1; shift; while [ $n -gt 0 ]; do mount --bind /dev/null "$1" || exit 1; shift; n=$((n-1)); done; exec "$@"';

/** `command` with /dev/null in place of each of the files. */
export function hide(files: readonly string[], command: readonly string[]): readonly string[] {
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--user', '--map-root-user'];
  return ['unshare', ...namespace, 'sh', '-c', HIDING, 'sh', `${files.length}`, ...files, ...command];
}
