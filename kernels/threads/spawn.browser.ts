/**
 * Starts a compute worker in a browser from its own file; scripts/inline.mjs puts one that has the text at hand in its
 * place.
 */
export function spawnTeamWorker(): Worker {
  return new Worker(new URL('./worker.browser.js', import.meta.url), { type: 'module' });
}

/** Advice where a bundler has moved or changed a worker's file. */
export const REMEDY = "use the entry wiedemann/inline, which needs no file beside the program's";
