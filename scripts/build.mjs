/**
 * Builds the package into dist/: AssemblyScript kernels → kernels/generated/wasm.ts (base64, so that Node, bundlers
 * and browsers load them alike), then TypeScript → dist/. Run by `npm ci` through `prepare`.
 */
import { mkdirSync, readFileSync, writeFileSync, chmodSync, existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import asc from 'assemblyscript/asc';

const ENTRY = 'kernels/wasm/index.ts';
const GENERATED = 'kernels/generated/wasm.ts';

/** Compiles the kernels; memory is imported and shared, up to 4 GiB (65536 pages). */
async function buildKernels() {
  const out = 'kernels/generated/kernels.wasm';
  mkdirSync('kernels/generated', { recursive: true });
  const { error, stderr } = await asc.main([
    ENTRY, '-o', out, '-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'threads', '--enable', 'simd',
    '--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536', '--noExportMemory',
    '--uncheckedBehavior', 'always',
  ]);
  if (error) {
    console.error(stderr.toString());
    throw error;
  }
  const text = readFileSync(out).toString('base64');
  const source = `/** Made by scripts/build.mjs from ${ENTRY}; do not edit. */\nexport const KERNELS_BASE64 =\n  '${text}';\n`;
  if (!existsSync(GENERATED) || readFileSync(GENERATED, 'utf8') !== source) writeFileSync(GENERATED, source);
}

await buildKernels();
const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
if (existsSync('dist/src/cli.js')) chmodSync('dist/src/cli.js', 0o755);
