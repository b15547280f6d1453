import { defineConfig } from 'vitest/config';

// Long checks: `npm run slow`, never CI.
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    testTimeout: 3_600_000,
    fileParallelism: false,
    env: { XDG_CACHE_HOME: '/dev/null' }, // vitest.config.ts says why
    reporters: ['verbose', './test/count-reporter.mjs'],
  },
});
