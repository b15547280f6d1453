import { defineConfig } from 'vitest/config';

// Threads are tested through dist/ (Node 20 starts no worker from TypeScript), so `npm test` builds first.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/slow/**', 'test/bench/**'],
    testTimeout: 60_000,
    reporters: ['default', './test/count-reporter.mjs'],
  },
});
