/** Benchmarks on a GPU run, check what they time, and print their lines; in software the times say nothing. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { gpuMissing, SELDOM_POLLS } from './gpu.js';

process.env['NODE_OPTIONS'] = SELDOM_POLLS;
const BENCH = fileURLToPath(new URL('bench/bench.mjs', import.meta.url));

test.skipIf(gpuMissing)('gpu-krylov on a small matrix', () => {
  const words = [BENCH, 'gpu-krylov', '--family', 'ch 3 3 1', '--block', '4,2', '--steps', '8', '--gpus', '2'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const line = JSON.parse(stdout);
  expect(line).toMatchObject({ mod: 65521, block: [4, 2], us: { all: expect.any(Number) }, shared: { gpus: 2 } });
  expect(line.shared.each).toHaveLength(2);
});

test.skipIf(gpuMissing)('gpu-pluq on a small matrix', () => {
  const words = [BENCH, 'gpu-pluq', '--case', '90,70,65521', '--rounds', '1', '--threads', '1'];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(status).toBe(0);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.slice(0, 2)).toMatchObject([
    { contender: 'gpu', n: 90, rank: 70, ms: expect.any(Number) },
    { contender: 'cpu', n: 90, rank: 70, ms: expect.any(Number) },
  ]);
});

test.skipIf(gpuMissing)('gpu-schur on a small matrix', () => {
  const words = [BENCH, 'gpu-schur', '--family', 'ch 4 4 2', '--threads', '1'];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ levels: 6, left: [39, 15], ms: { gpu: expect.any(Number) } });
});

test.skipIf(gpuMissing)('block-kernels on a batch of three small problems', () => {
  const words = [BENCH, 'block-kernels', '--device', 'gpu', '--batch', '3x32', '--mod', '2147483629', '--no-peer'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const all = Object.fromEntries(
    ['axpy', 'dot', 'multiply', 'transposed', 'factor', 'solve'].map((name) => [name, expect.any(Number)]),
  );
  expect(JSON.parse(stdout)).toMatchObject({ device: 'gpu', count: 3, allRows: 200, ms: all, ratio: all });
});

test.skipIf(gpuMissing)('block-kernels with rows of unequal lengths, grouped and in order', () => {
  const sizes = ['--batch', '3x32', '--block', '4', '--width', '4', '--lengths', '1-8'];
  const words = [BENCH, 'block-kernels', '--device', 'gpu', ...sizes];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const each = { multiply: expect.any(Number), transposed: expect.any(Number) };
  expect(JSON.parse(stdout)).toMatchObject({ lengths: '1-8', groupedMs: each, inOrderMs: each, saved: each });
});

test.skipIf(gpuMissing)('gpu-workgroups on small vectors', () => {
  const sizes = ['--rows', '3000', '--width', '4', '--units', '3'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [BENCH, 'gpu-workgroups', ...sizes], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ kernel, width, usual: { groups } }) => [kernel, width, groups])).toEqual([
    ['dot', 4, 12],
    ['update', 4, 12],
    ['scale', 4, 12],
  ]);
  for (const { ms } of lines) expect(ms).toMatchObject({ 1: expect.any(Number), 4: expect.any(Number) });
});

test.skipIf(gpuMissing)('split-rows on a small matrix', () => {
  const sizes = ['--size', '300x200x3000', '--mod', '65521', '--width', '2', '--gpus', '2', '--threads', '1'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [BENCH, 'split-rows', ...sizes], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const ways = Object.fromEntries(['gpu', 'gpus', 'threads', 'both'].map((name) => [name, expect.any(Number)]));
  expect(JSON.parse(stdout)).toMatchObject({ nnz: 2921, mod: 65521, width: 2, ms: ways });
});

test.skipIf(gpuMissing)('lanczos on a small matrix: its kernels first, then the systems', () => {
  const words = [BENCH, 'lanczos', '--device', 'gpu', '--family', 'trefethen 60'];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(status).toBe(0);
  const number = expect.any(Number);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { device: 'gpu', matrix: 'trefethen 60', ms: { product: number, dots: number, update: number, answer: number } },
    { device: 'gpu', matrix: 'trefethen 60', seconds: { lanczos: number, wiedemann: number } },
  ]);
});
