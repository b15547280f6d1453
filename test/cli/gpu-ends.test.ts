/** Ends of runs with a GPU: by their own code and line, never by Dawn's (kernels/gpu/open-promises.ts). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gpuMissing } from '../gpu.js';
import { deficientText } from './deficient-text.js';
import { run } from './run.js';

/** Node's options by which the thread that loads Dawn goes wrong, some milliseconds later. */
function going(wrong: string): string[] {
  const text = `
    const { dlopen } = process;
    process.dlopen = (...given) => {
      dlopen.apply(process, given);
      if (given[1].includes('dawn')) setTimeout(() => { ${wrong} }, 700);
    };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(text)}`];
}

describe.skipIf(gpuMissing)('a run that is at work on a GPU', () => {
  const input = deficientText(3000, 2950);
  const words = ['rank', '-p', '65521', '-q', '--device', 'gpu', '--method', 'wiedemann', '--block', '4'];

  test('an error that nothing waits for: exit 70 and one line', async () => {
    const nodeOptions = going("Promise.reject(new Error('planted'))");
    const stderr = "rank: internal error: the engine's thread erred: Error: planted\n";
    expect(await run(words, { input, nodeOptions })).toEqual({ code: 70, stdout: '', stderr });
  });

  test('its thread in a kernel for long: an interrupt waits for nothing', async () => {
    // For longer than a test may take.
    const wrong = "process.kill(process.pid, 'SIGINT'); for (const end = Date.now() + 200_000; Date.now() < end; );";
    const ended = await run(words, { input, nodeOptions: going(wrong) });
    expect(ended).toEqual({ code: null, stdout: '', stderr: 'rank: interrupted\n' });
  });

  test('given up with threads at work beside it: the program ends', async () => {
    const program = `
      import { rank } from ${JSON.stringify(new URL('../../dist/src/index.js', import.meta.url).href)};
      const given = new AbortController();
      const onProgress = ({ done }) => done > 40 && given.abort();
      const asked = { mod: 65521, device: 'gpu', method: 'wiedemann', block: 4, threads: 2, signal: given.signal, onProgress };
      await rank(new TextEncoder().encode(${JSON.stringify(input)}), asked).catch((error) => console.log(error.name));
    `;
    const folder = mkdtempSync(join(tmpdir(), 'wiedemann-gpu-ends-'));
    writeFileSync(join(folder, 'program.mjs'), program);
    const ended = spawnSync(process.execPath, [join(folder, 'program.mjs')], { encoding: 'utf8', timeout: 150_000 });
    rmSync(folder, { recursive: true });
    expect(ended).toMatchObject({ status: 0, stdout: 'AbortError\n', stderr: '' });
  });
});
