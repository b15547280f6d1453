/** Every shader of the room: its text in the build, and that the compiler takes it with every constant. */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import { BLOCK_SIZES } from '../../../kernels/block-sparse/block-batch.js';
import { BLOCK_KERNELS, blockKernelFiles } from '../../../kernels/block-sparse/gpu-block-kernels.js';
import { PLUQ_CONSTANTS, PLUQ_KERNELS, pluqFiles } from '../../../kernels/dense/gpu-pluq.js';
import { WGSL } from '../../../kernels/generated/wgsl.js';
import { fieldConstants } from '../../../kernels/gpu/field-constants.js';
import { compose, type WgslName } from '../../../kernels/gpu/shader.js';
import { POLY_KERNELS } from '../../../kernels/poly/gpu-mul.js';
import { PRIME_CONSTANTS } from '../../../kernels/poly/gpu-ntt-primes.js';
import { FORMATS } from '../../../kernels/sparse/formats/index.js';
import { SLICE, WINDOW } from '../../../kernels/sparse/formats/sliced-ell-slices.js';

const { bareShader } = await import('../../../scripts/bare-shader.mjs' as string);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WGSL_FOLDER = join(ROOT, 'kernels');
const shaderFiles = (): string[] =>
  (readdirSync(WGSL_FOLDER, { recursive: true }) as string[]).filter((file) => file.endsWith('.wgsl'));
const shaderFile = (name: string): string =>
  readFileSync(join(WGSL_FOLDER, shaderFiles().find((file) => basename(file) === `${name}.wgsl`)!), 'utf8');

const PRELUDES = { u16x2: 65521, u16: 65521, u32: 2147483629 } as const;
/** They have no prelude. */
const PLAIN = [
  'fill',
  'repack',
  'random',
  'poly-blocks',
  'binned-place',
  'bit-spmm',
  'bit-axpy',
  'bit-dot',
  'refine-products',
  'refine-inverse',
  'refine-residual',
];
const FLOATS = ['f32', 'f32x2'] as const;
const PARTS = ['launch', 'affine', 'words-1', 'words-2', 'words-4', ...Object.keys(PRELUDES), ...FLOATS];
const POLY = new Set<string>(Object.values(POLY_KERNELS).flat());
const PLUQ = [true, false].flatMap((narrow) =>
  PLUQ_KERNELS.map((body) => ({ narrow, files: pluqFiles(narrow, body) })),
);
const BLOCKS = [true, false].flatMap((narrow) =>
  BLOCK_KERNELS.map((body) => ({ narrow, files: blockKernelFiles(narrow, body) })),
);
/** Preludes of formats, each in front of the one body that walks rows. */
const FORMAT_PRELUDES = Object.values(FORMATS).flatMap((format) => ('gpu' in format ? [format.gpu!.prelude] : []));
const ROWS: WgslName[] = ['spmm-rows', 'each-word'];
/** Products in bins, of one vector. */
const BINS = (['binned-products', 'binned-sums'] as const).flatMap((body): WgslName[][] => [
  ['launch', 'words-1', 'u16', 'affine', 'binned-u16', body],
  ['launch', 'words-1', 'u32', 'u32-sums', 'affine', 'binned-u32', body],
]);
const COMPOSED = new Set<string>([
  ...[...ROWS, ...FORMAT_PRELUDES, ...POLY, ...BINS.flatMap((files) => files.slice(4))],
  ...[...PLUQ, ...BLOCKS].flatMap(({ files }) => files),
]);
/** Bodies that sum over a workgroup, by a file in front of them. */
const SUMMING = ['spmm-segments', 'sum-parts'];
/** Bodies that say what is done for a word. */
const BY_WORDS = ['spmm-sliced', 'spmm-blocks'];
const BODIES = Object.keys(WGSL).filter((name) => ![...PLAIN, ...PARTS, ...COMPOSED].includes(name));
/** Values of the constants that the TypeScript siblings set, all of which the compiler must take. */
const CONSTANTS: Readonly<Record<string, readonly number[]>> = {
  CLASS: [0, 1, 2],
  X_PAIRS: [0, 1],
  L_PAIRS: [0, 1],
  B: [2, 3, 4, 8, 16],
  SHARES: [1, 8],
  ROWS: [1, 4],
  TO_PAIRS: [0, 1],
  TO_BLOCKS: [0, 1],
  UNITS: [0, 1],
  PAIRS: [0, 1],
  END: [0, 1, 2],
  TEAM: [32, 256],
  ABREAST: [1, 8],
  A_WORD: [1, 2],
  PLAIN: [0, 1],
  EACH: [1, 3],
  LOOPED: [0, 1],
};

describe('shaders', () => {
  test('the embedded text is that of the files, without comments', () => {
    const files = shaderFiles().map((file) => basename(file, '.wgsl'));
    expect(Object.keys(WGSL).sort()).toEqual(files.sort());
    for (const [name, text] of Object.entries(WGSL)) expect(text, name).toBe(bareShader(shaderFile(name)));
  });

  // Dawn's null backend has the compiler and no device.
  let device: GPUDevice;
  const wrong: string[] = [];
  beforeAll(async () => {
    const { create } = await import('webgpu' as string);
    nullDawn = create(['backend=null']);
    const adapter = await nullDawn!.requestAdapter();
    device = await adapter!.requestDevice();
    device.onuncapturederror = (event) => {
      event.preventDefault();
      wrong.push(event.error.message);
    };
  });

  async function compiled(files: WgslName[], constants: Readonly<Record<string, number>>): Promise<string[]> {
    const { source, bindings, overrides } = compose(...files);
    const layout = device.createBindGroupLayout({ entries: bindings });
    device.createComputePipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: {
        module: device.createShaderModule({ code: source }),
        entryPoint: 'main',
        constants: Object.fromEntries(Object.entries(constants).filter(([name]) => overrides.has(name))),
      },
    });
    await device.queue.onSubmittedWorkDone();
    return wrong.splice(0);
  }

  const bodies = [
    ...BODIES.map((body) => [
      ...(SUMMING.includes(body) ? ['workgroup-sum'] : []),
      ...[body, ...(BY_WORDS.includes(body) ? ['each-word'] : [])],
    ]),
    ...FORMAT_PRELUDES.map((format) => [format, ...ROWS]),
  ];
  const variants = bodies.flatMap((body) =>
    (Object.keys(PRELUDES) as (keyof typeof PRELUDES)[]).flatMap((prelude) =>
      [1, 2, 4].map((words) => {
        const sums = prelude === 'u32' ? ['u32-sums'] : [];
        return ['launch', `words-${words}`, prelude, ...sums, 'affine', ...body] as WgslName[];
      }),
    ),
  );

  test.each([...variants, ...BINS, ...PLAIN.map((body) => ['launch', body] as WgslName[])].map((files) => ({ files })))(
    '$files compiles with every constant',
    async ({ files }) => {
      const p = PRELUDES[files[2] as keyof typeof PRELUDES] ?? 65521;
      const fixed = { ...fieldConstants(WordPrime.of(p)), WORKGROUP: 256, LANES: 3, SIDE: 2048, SLICE, WINDOW };
      const { overrides } = compose(...files);
      let choices: Record<string, number>[] = [fixed];
      for (const [name, values] of Object.entries(CONSTANTS)) {
        if (overrides.has(name)) choices = choices.flatMap((c) => values.map((value) => ({ ...c, [name]: value })));
      }
      for (const constants of choices) expect(await compiled(files, constants)).toEqual([]);
    },
  );

  const floats = FORMAT_PRELUDES.flatMap((format) =>
    FLOATS.flatMap((prelude) =>
      [1, 2, 4].map((words) => ({ files: ['launch', `words-${words}`, prelude, format, ...ROWS] as WgslName[] })),
    ),
  );

  test.each(floats)('$files compiles with every constant', async ({ files }) => {
    const p = 4093;
    const fixed = { P: p, TERMS: 3, INVERSE: Math.fround(1 / p), WORKGROUP: 256, LANES: 3, SLICE, WINDOW };
    for (const CLASS of [0, 1, 2]) {
      for (const BALANCED of [0, 1]) expect(await compiled(files, { ...fixed, CLASS, BALANCED })).toEqual([]);
    }
  });

  const { direct, directU16, ...transforms } = POLY_KERNELS;
  test.each([
    { files: direct, p: 2147483629 },
    { files: directU16, p: 65521 },
  ])('$files compiles with every constant', async ({ files, p }) => {
    const fixed = { ...fieldConstants(WordPrime.of(p)), WORKGROUP: 256 };
    for (const SHARED of [0, 1]) expect(await compiled([...files], { ...fixed, SHARED })).toEqual([]);
  });

  test.each(Object.values(transforms).map((files) => ({ files })))(
    '$files compiles with every constant',
    async ({ files }) => {
      for (const flag of [0, 1]) {
        for (const TILE of [1024, 2048, 4096]) {
          const flags = { LOADED: flag, INVERSE: flag, ADD: flag };
          const constants = { ...PRIME_CONSTANTS, WORKGROUP: 256, TILE, ...flags };
          expect(await compiled([...files], constants)).toEqual([]);
        }
      }
    },
  );

  test.each(PLUQ)('$files compiles', async ({ narrow, files }) => {
    const constants = { ...fieldConstants(WordPrime.of(narrow ? 65521 : 2147483629)), ...PLUQ_CONSTANTS };
    expect(await compiled(files, constants)).toEqual([]);
  });

  test.each(BLOCKS)('$files compiles with every size of blocks', async ({ narrow, files }) => {
    const field = fieldConstants(WordPrime.of(narrow ? 65521 : 2147483629));
    for (const SIDE of BLOCK_SIZES) {
      for (const [TRANSPOSED, GROUPED] of [0, 1, 2, 3].map((choice) => [choice & 1, choice >> 1] as const)) {
        for (const ROWS of [1, TRANSPOSED ? 4 : 2]) {
          const constants = { ...field, SIDE, TRANSPOSED, GROUPED, ROWS, WORKGROUP: Math.min(256, 16 * SIDE) };
          expect(await compiled(files, constants)).toEqual([]);
        }
      }
    }
  });

  test('a shader that is wrong is seen', async () => {
    const module = device.createShaderModule({ code: 'fn main() -> u32 { return 1.5; }' });
    const { messages } = await module.getCompilationInfo();
    await device.queue.onSubmittedWorkDone();
    expect(messages.length).toBeGreaterThan(0);
    expect(wrong.splice(0)).toHaveLength(1);
  });
});

let nullDawn: GPU | undefined; // kept, as requestGpu keeps the other
