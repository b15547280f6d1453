/**
 * A refusal of the machine or its system: a thread, address space, WebAssembly itself. Neither the input nor this
 * program is at fault.
 */
export class HostError extends Error {
  override name = 'HostError';
}

/** Throws where there is no WebAssembly. */
export function checkWebAssembly(): void {
  if (typeof WebAssembly !== 'undefined') return;
  throw new HostError('there is no WebAssembly here, as under node --jitless; device reference needs none');
}

/** The object of a refusal, and the places of its limits. */
const LIMITS: readonly (readonly [sign: RegExp, limit: string])[] = [
  [/uv_cwd/, 'the current folder is gone; start the program in another one'],
  [/EMFILE|ENFILE/, 'no more open files are allowed (ulimit -n)'],
  [/not an integer typed array/, 'there is no SharedArrayBuffer, which a thread needs'],
  [/EAGAIN/, 'no more threads are allowed (ulimit -u)'],
  [/ERR_WORKER_OUT_OF_MEMORY/, "V8's heap is full (--max-old-space-size of node)"],
  [/ENOMEM|out of memory|allocat/i, 'there is no memory for it (ulimit -v)'],
];

/** Whether a limit of the system's is behind `reason`. */
export function isRefusal(reason: unknown): boolean {
  return LIMITS.some(([sign]) => sign.test(String(reason).split('\n', 1)[0]!));
}

/** In one line: `what` was refused with `reason`, and which limit says so, where that is known. */
export function refusal(what: string, reason: unknown): HostError {
  const line = String(reason).split('\n', 1)[0]!;
  const limit = LIMITS.find(([sign]) => sign.test(line))?.[1];
  return new HostError(`${what}: ${limit === undefined ? '' : `${limit}; `}${line}`);
}
