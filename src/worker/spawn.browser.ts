/**
 * Starts the engine's worker in a browser from its own file; scripts/inline.mjs puts one that has the text at hand in
 * its place.
 */
export function spawnEngineWorker(): Worker {
  return new Worker(new URL('./serve.browser.js', import.meta.url), { type: 'module' });
}
