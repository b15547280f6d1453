/** No export without an importer: functions, constants and classes that product code exports, product code uses. */
import { expect, test } from 'vitest';
import { COMMENT } from './comments.js';
import { textOf, trackedFiles } from './tracked.js';

const SOURCE = /^(?:fields|kernels|algorithms|data|src)\/.*\.ts$/;

/** Where uses come from outside: the package, the command line, and what WebAssembly exports. */
const DOORS = ['src/index.ts', 'src/cli.ts', 'kernels/kernels.as.ts'];

/** Exports that tests alone import, by the reason why they stay. */
const FOR_TESTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'a slow twin, which tests compare with': {
    'algorithms/reference/dense-elimination.ts': ['denseDeterminant', 'denseMinpoly'],
    'algorithms/reference/lanczos.ts': ['scalarLanczos'],
    'algorithms/reference/polynomial.ts': ['lcm'],
    'algorithms/reference/rows.ts': ['denseRows'],
    'algorithms/reference/scalar-wiedemann.ts': ['scalarWiedemannRank'],
  },
  'answers from outside, which tests compare with': {
    'data/known-ranks.ts': ['EXCEPTIONS_KNOWN_UP_TO', 'inclusionRank', 'projectivePlaneRank', 'KNOWN_RANKS'],
  },
  'a part of its file whose cases a test reaches by itself alone': {
    'algorithms/classical/classical-rank.ts': ['degreesOfDeterminant'],
    'algorithms/classical/determinant-polynomial.ts': ['determinantInPlace'],
    'algorithms/methods/measured-rates.ts': ['trialSeconds'],
    'algorithms/rational/reconstruction.ts': ['greatestDivisor'],
    'fields/integer.ts': ['toDecimal', 'divmod', 'isNegative'],
    'fields/primality.ts': ['primesBelow', 'smallestFactor', 'previousPrime', 'nextPrime'],
    'fields/quotients.ts': ['reduceQuotientBound', 'floorQuotientBound'],
    'fields/random.ts': ['philox'],
    'fields/reduction.ts': ['largestByteSum', 'largestI32Sum'],
    'fields/word-prime.ts': ['Uint16Prime'],
    'kernels/platform/nvidia.ts': ['onlyGrown', 'hide'],
    'kernels/poly/gpu-ntt-primes.ts': ['TRANSFORM_PRIMES'],
    'kernels/sparse/formats/sliced-ell-segments.ts': ['SEGMENT'],
    'kernels/spmm/gpu-column-panels.ts': ['GpuPanels', 'cutColumns'],
    'kernels/threads/memory.ts': ['CONTROL_BYTES'],
    'src/gpus/processes.node.ts': ['placesOf', 'prober'],
    'src/io/run-lock.ts': ['RunLock'],
    'src/page/window-raster.ts': ['windowRaster'],
    'src/io/user-store.ts': ['UserStore', 'cacheDirectory'],
  },
  'test/kernels/bounds.test.ts holds a number to it that a kernel or a shader writes down': {
    'fields/reduction.ts': ['digitProductsBeforeReduction', 'gpuByteTermsBeforeReduction'],
    'fields/transform-bounds.ts': ['pointProductsBeforeReduction', 'gpuPointProductsBeforeFolding'],
  },
  'test/kernels/gpu/shaders.test.ts compiles every shader of the room': {
    'kernels/dense/gpu-pluq.ts': ['PLUQ_KERNELS', 'PLUQ_CONSTANTS', 'pluqFiles'],
    'kernels/block-sparse/gpu-block-kernels.ts': ['BLOCK_KERNELS', 'blockKernelFiles'],
    'kernels/poly/gpu-mul.ts': ['POLY_KERNELS'],
  },
  'the checked door of a format, for matrices from outside': {
    'kernels/sparse/formats/ell-r.ts': ['ellR'],
    'kernels/sparse/formats/sliced-ell.ts': ['slicedEll'],
  },
};

const code = new Map(
  trackedFiles()
    .filter((path) => SOURCE.test(path))
    .map((path) => [path, textOf(path).replace(COMMENT, (token) => (token.startsWith('/') ? '' : token))]),
);

const words = new Map([...code].map(([path, text]) => [path, new Set(text.match(/\w+/g))]));

const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class) (\w+)/gm;

/** Names that a file exports and no other file of the product has. */
function unusedOf(path: string): string[] {
  const names = Array.from(code.get(path)!.matchAll(EXPORTED), ([, name]) => name!);
  return names.filter((name) => ![...words].some(([other, has]) => other !== path && has.has(name)));
}

const unused = [...code.keys()]
  .filter((path) => !DOORS.includes(path))
  .flatMap((path) => unusedOf(path).map((name) => `${path}: ${name}`));

const allowed = Object.values(FOR_TESTS).flatMap((files) =>
  Object.entries(files).flatMap(([path, names]) => names.map((name) => `${path}: ${name}`)),
);

test('an export has an importer outside its test, or a reason', () => {
  expect(code.size).toBeGreaterThan(300);
  expect(unused.filter((entry) => !allowed.includes(entry))).toEqual([]);
});

test('no exception outlives what it is for', () => {
  expect(allowed.filter((entry) => !unused.includes(entry))).toEqual([]);
});
