import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Debian's chromium brings a GPU in software; the environment may name another driver. test/gpu.ts says what happens without.
// NODEVICE_SELECT keeps out Mesa's Vulkan layer, which looks for a display and complains in stderr where none is.
const SWIFTSHADER = '/usr/lib/chromium/vk_swiftshader_icd.json';
const named = process.env['VK_ICD_FILENAMES'] ?? process.env['VK_DRIVER_FILES'];
const found =
  named === undefined && existsSync(SWIFTSHADER) ? { VK_ICD_FILENAMES: SWIFTSHADER, NODEVICE_SELECT: '1' } : {};
// HIDE_DEVICES makes of any machine one without a browser and a driver (.ci/run).
const devices = process.env['HIDE_DEVICES'] ? { CHROMIUM: '/nonexistent' } : found;
// No folder: choices that the user has kept are not for tests, and those of tests not for the user.
const env = { ...devices, XDG_CACHE_HOME: '/dev/null' };

/**
 * Tests of functions alone: a process runs file after file, and loads and compiles what they share once. Nothing of
 * theirs starts processes, changes the environment or ends a device, which a file after it would meet.
 */
const SHARED = [
  'test/{fields,pictures}/**/*.test.ts',
  'test/data/{definitions,seeded}.test.ts',
  'test/algorithms/{checkpoint,classical,factor,methods,planning,presolve,reference,tuning,wiedemann}/**/*.test.ts',
  'test/algorithms/{determinant,minpoly,rational-rank}.test.ts',
  'test/algorithms/block-wiedemann/{basis-check,block-shape,broken-operators,check-interval}.test.ts',
  'test/algorithms/block-wiedemann/{flipped-generators,flipped-words,kept-parts,krylov-columns,preconditioner,rank}.test.ts',
  'test/algorithms/block-wiedemann/{reorder-lines,second-search,verification,working-field}.test.ts',
  'test/algorithms/certificate/{certificate,tampered}.test.ts',
  'test/algorithms/elimination/{dense-rows,fill,fronts,rounds}.test.ts',
  'test/algorithms/lanczos/{bases,bits,block-lanczos,flipped-words}.test.ts',
  'test/algorithms/rational/{any-shape,determinant,reconstruction,threaded-factors}.test.ts',
  'test/algorithms/schur/{sampling,schur-complement}.test.ts',
  'test/algorithms/sigma-basis/{pm-basis,threads}.test.ts',
  'test/algorithms/solve/{nonsingular,systems}.test.ts',
  'test/io/{binary-formats,cado-gbla,logged-pieces,matrices-in-a-row,triple-scanner,write-matrix}.test.ts',
  'test/kernels/{errors,gf2,jit,residues,schur,sparse,spmm}/**/*.test.ts',
  'test/kernels/block-sparse/{block-pattern,reference}.test.ts',
  'test/kernels/dense/{determinants,gemm,pluq,small-rank,threads}.test.ts',
  'test/kernels/executors/{cpu-program,pieces,program-failures}.test.ts',
  'test/kernels/float-words/float-operator.test.ts',
  'test/kernels/poly/mul*.test.ts',
  'test/kernels/threads/{kernel-names,memory}.test.ts',
];

/** Tests on one GPU: a process opens it once, and compiles a shader once for all files that it runs. */
const ONE_DEVICE = [
  'test/algorithms/block-wiedemann/relations.test.ts',
  'test/algorithms/lanczos/kept-runs.test.ts',
  'test/algorithms/rational/solve.test.ts',
  'test/algorithms/schur/hybrid-rank.test.ts',
  'test/kernels/block-sparse/block-kernels.test.ts',
  'test/kernels/executors/{executors,split-rows,storage,substitutions}.test.ts',
];
const NOT_HERE = ['test/slow/**', 'test/bench/**'];

// Threads are tested through dist/ (Node 20 starts no worker from TypeScript), so `npm test` builds first.
export default defineConfig({
  test: {
    setupFiles: ['test/equal-numbers.ts'],
    testTimeout: 180_000, // for what hangs, not for what a busy machine slows down
    maxWorkers: availableParallelism() + 1, // a worker that waits for a browser or a process leaves its core to another
    env,
    reporters: ['default', './test/count-reporter.mjs'],
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, exclude: NOT_HERE, isolate: false } },
      { extends: true, test: { name: 'gpu', include: ONE_DEVICE, exclude: NOT_HERE, isolate: false } },
      {
        extends: true,
        test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: [...NOT_HERE, ...SHARED, ...ONE_DEVICE] },
      },
    ],
  },
});
