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
  'test/{contributing,exports,mentions}.test.ts',
  'test/{data,fields,pictures}/**/*.test.ts',
  'test/api/{answer-stream,checkpoint,door,expected-systems,factors,junk,library,many,pivots,refusals}.test.ts',
  'test/api/{systems,tune,verify-certificate}.test.ts',
  'test/algorithms/{checkpoint,classical,factor,methods,planning,presolve,reference,tuning,wiedemann}/**/*.test.ts',
  'test/algorithms/{determinant,minpoly,out-of-memory,rational-rank}.test.ts',
  'test/algorithms/block-wiedemann/{basis-check,block-shape,broken-operators,check-interval}.test.ts',
  'test/algorithms/block-wiedemann/{flipped-generators,flipped-words,kept-parts,kept-shares}.test.ts',
  'test/algorithms/block-wiedemann/overtaken-parts.test.ts',
  'test/algorithms/block-wiedemann/{held-words,kept-polynomials,kept-searches,long-sequences,low-ranks}.test.ts',
  'test/algorithms/block-wiedemann/{krylov-columns,preconditioner,rank,reorder-lines,row-space-check}.test.ts',
  'test/algorithms/block-wiedemann/{second-search,spanning,split-sequence,sum-products}.test.ts',
  'test/algorithms/block-wiedemann/{verification,working-field}.test.ts',
  'test/algorithms/certificate/{certificate,matrix-digest,tampered}.test.ts',
  'test/algorithms/elimination/{dense-rows,fill,fronts,rounds}.test.ts',
  'test/algorithms/lanczos/{bases,bits,block-lanczos,flipped-words,step-clock}.test.ts',
  'test/algorithms/rational/{any-shape,determinant,reconstruction,threaded-factors}.test.ts',
  'test/algorithms/schur/{kept-pivots,sampling,schur-complement}.test.ts',
  'test/algorithms/sigma-basis/{pm-basis,threads}.test.ts',
  'test/algorithms/solve/{nonsingular,systems}.test.ts',
  'test/gpus/remote-sequence.test.ts',
  'test/io/{binary-formats,cado-gbla,logged-pieces,matrices-in-a-row,triple-scanner,write-matrix}.test.ts',
  'test/kernels/{errors,jit,residues,schur,sparse,spmm}/**/*.test.ts',
  'test/kernels/platform/dawn-flags.test.ts',
  'test/kernels/block-sparse/{block-lists,block-pattern,reference}.test.ts',
  'test/kernels/dense/{determinants,gemm,pluq,small-rank,threads}.test.ts',
  'test/kernels/bounds.test.ts',
  'test/kernels/executors/{column-panels,cpu-program,pieces,program-failures}.test.ts',
  'test/kernels/float-words/float-operator.test.ts',
  'test/kernels/gf2/bit-pluq.test.ts',
  'test/kernels/poly/{mul*,poly-matrix}.test.ts',
  'test/kernels/threads/{byte-text,kernel-names,memory}.test.ts',
  'test/worker/kept-run.test.ts',
];

/** Tests on one GPU: a process opens it once, and compiles a shader once for all files that it runs. */
const ONE_DEVICE = [
  'test/algorithms/block-lu/systems.test.ts',
  'test/algorithms/block-wiedemann/{column-panels,gpu-budget,kept-beside,kept-runs,relations}.test.ts',
  'test/algorithms/elimination/gpu-dense-rows.test.ts',
  'test/algorithms/lanczos/{kept-runs,systems}.test.ts',
  'test/algorithms/rational/solve.test.ts',
  'test/algorithms/schur/{gpu-directions,hybrid-rank,shared-sequences}.test.ts',
  'test/algorithms/sigma-basis/gpu-pm-basis.test.ts',
  'test/kernels/block-sparse/block-kernels.test.ts',
  'test/kernels/dense/gpu-pluq.test.ts',
  'test/kernels/executors/{executors,random,split-rows,storage,substitutions}.test.ts',
  'test/kernels/float-words/gpu-words.test.ts',
  'test/kernels/gf2/bit-columns.test.ts',
  'test/kernels/gpu/{device,inverse,u32-sums}.test.ts',
  'test/kernels/poly/gpu-mul.test.ts',
  'test/kernels/refinement/gpu-refinement.test.ts',
];
const NOT_HERE = ['test/slow/**', 'test/bench/**'];

// Threads are tested through dist/ (Node 20 starts no worker from TypeScript), so `npm test` builds first.
export default defineConfig({
  test: {
    setupFiles: ['test/equal-numbers.ts'],
    // For what hangs, not for what a busy machine slows down.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: availableParallelism() + 1, // a worker that waits for a browser or a process leaves its core to another
    env,
    reporters: ['default', './test/count-reporter.mjs'],
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, exclude: NOT_HERE, isolate: false } },
      { extends: true, test: { name: 'gpu', include: ONE_DEVICE, exclude: NOT_HERE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...NOT_HERE, ...SHARED, ...ONE_DEVICE],
          globalSetup: ['test/package/packed.ts'],
        },
      },
    ],
  },
});
