/**
 * Modules that a run makes, on each thread that calls them: their bytes are in the shared memory, and a thread compiles
 * them when it first meets their number. V8 has one compiled module for all threads.
 *
 * A module imports the memory as `env.memory`, and from `kernels` what it calls of the kernels' module. Its export
 * `run` is what a kernel calls through the function table.
 */

/** What is used of the kernels' exports. */
interface WithTable {
  readonly table: WebAssembly.Table;
}

/** Modules of a thread at most; those that were called longest ago go, and come again when they are called. */
const MOST = 8;

export type Link = (number: number, at: number, bytes: number) => number;

/** The function for kernels that tells where in their table `run` of a module is; `kernels` may still be to come. */
export function linkCode(memory: WebAssembly.Memory, kernels: () => WithTable): Link {
  const places = new Map<number, number>(); // by number, the one called last at the end
  return (number, at, bytes) => {
    const { table } = kernels();
    let place = places.get(number);
    if (place === undefined) {
      const run = instantiate(memory, kernels(), at, bytes);
      place = places.size < MOST ? table.grow(1) : takeFirst(places);
      table.set(place, run);
    } else places.delete(number);
    places.set(number, place);
    return place;
  };
}

function takeFirst(places: Map<number, number>): number {
  const [[number, place]] = places;
  places.delete(number);
  return place;
}

function instantiate(memory: WebAssembly.Memory, kernels: WithTable, at: number, bytes: number): unknown {
  // A thread may have seen the memory only as it was before another one let it grow.
  if (memory.buffer.byteLength < at + bytes) memory.grow(0);
  const code = new Uint8Array(memory.buffer, at, bytes).slice(); // no engine compiles what others may write
  const imports = { env: { memory }, kernels: kernels as unknown as WebAssembly.ModuleImports };
  return new WebAssembly.Instance(new WebAssembly.Module(code), imports).exports['run'];
}
