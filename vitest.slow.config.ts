import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import usual from './vitest.config.js';

const sharing = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`)
  .filter((path) => readFileSync(path, 'utf8').includes("share.js'"));

// Long checks, and whole tables: `npm run slow`, never CI.
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts', ...sharing],
    setupFiles: usual.test?.setupFiles ?? [],
    globalSetup: ['test/package/packed.ts'],
    testTimeout: 3_600_000,
    fileParallelism: false,
    env: { ...usual.test?.env, WHOLE_TABLES: '1' }, // test/share.ts
    reporters: ['verbose', './test/count-reporter.mjs'],
  },
});
