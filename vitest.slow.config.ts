import { defineConfig } from 'vitest/config';
import usual from './vitest.config.js';

// Long checks: `npm run slow`, never CI.
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts', 'test/kernels/executors/*.test.ts', 'test/kernels/block-sparse/*.test.ts'],
    setupFiles: usual.test?.setupFiles ?? [],
    testTimeout: 3_600_000,
    fileParallelism: false,
    env: { ...usual.test?.env, WHOLE_TABLES: '1' }, // test/kernels/executors/table.ts
    reporters: ['verbose', './test/count-reporter.mjs'],
  },
});
