/** Digits of refinement on a GPU: what they add up to, and that no number too large goes unseen. */
import { describe, expect, test } from 'vitest';
import { type IntegerSystem, integerSystems } from '../../../algorithms/rational/integer-system.js';
import { approximateInverse } from '../../../algorithms/rational/refinement.js';
import { HostRefinement } from '../../../algorithms/rational/refinement-steps.js';
import type { Splitting } from '../../../algorithms/rational/splitting.js';
import { trefethen } from '../../../data/families/trefethen.js';
import { CounterRandom } from '../../../fields/random.js';
import { GpuRefinement } from '../../../kernels/refinement/gpu-refinement.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { gpuMissing, testGpu } from '../../gpu.js';

/** Rows with a dominant diagonal below the first `weak`, whose diagonal is that of a random block. */
function randomSystem(n: number, weak: number, diagonal: number): SparseMatrix {
  const random = new CounterRandom(BigInt(n + weak), 0);
  const value = (i: number, j: number): number => random.residueAt(i * n + j, 19) - 9;
  const rows = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) =>
      i === j && i >= weak
        ? diagonal + i
        : (i * 7 + j * 3) % 40 < 2 || (i < weak && j < weak) || i === j
          ? value(i, j)
          : 0,
    ),
  );
  return SparseMatrix.fromDense(rows);
}

function split(matrix: SparseMatrix): { system: IntegerSystem; splitting: Splitting } {
  const right = Array.from({ length: matrix.rows }, (_, i) => ((i * 37) % 2001) - 1000);
  const [system] = integerSystems(matrix, [right]).systems;
  const splitting = approximateInverse(system, () => {});
  if (typeof splitting === 'string') throw new Error(splitting);
  return { system, splitting };
}

/** 2^(s·k)·b − A·X_k, in the order of the splitting, exactly. */
function residualOf(system: IntegerSystem, { order, ...a }: Splitting, digits: Float64Array[], bits: number): bigint[] {
  const x = Array.from(order, (_, i) => digits.reduce((sum, d) => (sum << BigInt(bits)) + BigInt(d[i]), 0n));
  return Array.from(order, (line, i) => {
    let sum = BigInt(system.right[line]) << BigInt(bits * digits.length);
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) sum -= BigInt(a.values[k]) * x[a.colIdx[k]];
    return sum;
  });
}

describe.skipIf(gpuMissing)('refinement on a GPU', () => {
  test.each([
    { name: 'one dense block', matrix: randomSystem(40, 40, 0) },
    { name: 'a block and strong lines', matrix: randomSystem(600, 5, 40_000) },
    { name: 'no weak lines', matrix: randomSystem(600, 0, 40_000) },
    { name: 'more lines than a workgroup a share', matrix: SparseMatrix.fromCoo(trefethen(1500)) },
  ])('$name: the residual is that of the digits', async ({ matrix }) => {
    const { system, splitting } = split(matrix);
    const all = Array.from(splitting.order.keys());
    const right = Array.from(splitting.order, (line) => Number(system.right[line]));
    const bits = 5;
    const gpu = await testGpu();
    const onGpu = new GpuRefinement(gpu, splitting, right, Number(system.rowSum), bits, all);
    const some = new GpuRefinement(gpu, splitting, right, Number(system.rowSum), bits, [3, 0, 3]);
    const host = new HostRefinement(splitting, system, bits, all);
    const digits: Float64Array[] = [];
    for (const steps of [1, 2, 4]) {
      digits.push(...(await onGpu.advance(steps))!);
      expect(Array.from(await onGpu.residual(), BigInt)).toEqual(residualOf(system, splitting, digits, bits));
    }
    // Digits of the host's may be others; both stand for the same number.
    const hosts = host.advance(digits.length)!;
    expect(Array.from(host.residual(), BigInt)).toEqual(residualOf(system, splitting, hosts, bits));
    expect(await some.advance(digits.length)).toEqual(digits.map((d) => Float64Array.of(d[3], d[0], d[3])));
    onGpu.free();
    some.free();
  });

  test('a number too large is seen in the run in which it appears, and not before', async () => {
    const { system, splitting } = split(randomSystem(600, 0, 40_000));
    const right = Array.from(splitting.order, (line) => Number(system.right[line]));
    const gpu = await testGpu();
    const outcomes: boolean[] = [];
    for (const bits of [5, 28, 31]) {
      const steps = new GpuRefinement(gpu, splitting, right, Number(system.rowSum), bits, [0]);
      outcomes.push((await steps.advance(2)) !== null);
      steps.free();
    }
    expect(outcomes).toEqual([true, false, false]);
    const far = new GpuRefinement(gpu, splitting, right, 2 ** 31, 5, [0]);
    expect(await far.advance(4)).toBeNull();
    far.free();
  });
});
