/** A file of its own, so that what exports it declares no WebAssembly.Memory. */

/** A thread of the team died or trapped; the run cannot go on. */
export class TeamError extends Error {
  override name = 'TeamError';
}
