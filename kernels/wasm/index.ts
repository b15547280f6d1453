/** Everything the kernels module exports. A kernel is `name(thread, threads, args)`: it does thread's share of the work. */
export { awaitCommand, arrive, startCommand, awaitArrivals } from './team';
export { polyDirect, polyUnwrap, polyAdd } from './poly-direct';
export { polyBasis } from './poly-basis';
