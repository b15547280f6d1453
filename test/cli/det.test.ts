/** `det`: its methods, and determinants over Z. */
import { describe, expect, test } from 'vitest';
import { generated } from './generated.js';
import { run } from './run.js';

const SQUARE = '3 3 M\n1 1 2\n2 2 2\n3 3 5\n0 0 0\n'; // determinant 20
const CIRCULANT = `401 401 M\n${Array.from({ length: 401 }, (_, i) => `${i + 1} ${i + 1} 1\n${i + 1} ${((i + 1) % 401) + 1} 1\n`).join('')}0 0 0\n`;

describe('det', () => {
  test.each(['auto', 'elimination', 'hybrid', 'wiedemann'])('det --method %s, and why', async (method) => {
    const ended = await run(['det', '-p', '65521', '--method', method, '--explain'], { input: CIRCULANT });
    // 1 + x on a cycle of 401, an odd number: its determinant is 1 + 1.
    expect(ended).toMatchObject({ code: 0, stdout: '2\n' });
    expect(ended.stderr).toMatch(/pivots|asked for|at sight|empty/);
  });

  test('det over Z by lifting: 513 digits of Trefethen_200, those of PARI at both ends, and its residues', async () => {
    const trefethen = generated('trefethen', '200');
    const { code, stdout, stderr } = await run(['det', '-p', '0', '--explain'], { input: trefethen });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^2408451925480274319353921416565071407183\d{433}4395183089804477664518184883710166863428\n$/,
    );
    expect(stderr).toContain('has a denominator of');
    for (const p of ['65521', '2147483629']) {
      const residue = await run(['det', '-p', p, '-q'], { input: trefethen });
      expect(residue.stdout).toBe(`${BigInt(stdout.trim()) % BigInt(p)}\n`);
    }
  });

  test('det over Z: of Trefethen_20 as PARI has it, the same with --certain; no fractions', async () => {
    const trefethen = generated('trefethen', '20');
    for (const certain of [[], ['--certain']]) {
      const ended = await run(['det', '-p', '0', ...certain], { input: trefethen });
      expect(ended).toMatchObject({ code: 0, stdout: '284103177527690923256961360\n' });
      expect(ended.stderr).toContain('20 x 20 over Q   proved');
    }
    expect((await run(['det', '-p', '0', '-q'], { input: SQUARE })).stdout).toBe('20\n');
    const fraction = await run(['det', '-p', '0'], { input: '1 1 R\n1 1 1/2\n0 0 0\n' });
    expect(fraction).toMatchObject({
      code: 65,
      stdout: '',
      stderr: expect.stringContaining('expected integers, got a fraction'),
    });
    const certain = await run(['det', '-p', '7', '--certain'], { input: SQUARE });
    expect(certain).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('certain: expected modulus 0'),
    });
  });
});
