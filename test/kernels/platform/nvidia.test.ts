/** NVIDIA's GPUs as Linux shows them, on a tree of files like its own, and files hidden from a process. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hide, keepTo, nvidiaGpus, onlyGrown, watchNvidia } from '../../../kernels/platform/nvidia.js';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wiedemann-nvidia-'));
  mkdirSync(join(root, 'dev'));
  for (const [bus, minor] of [
    ['0000:41:00.0', 0],
    ['0000:06:00.0', 12],
    ['0000:c1:00.0', 2], // its node is not there: a container was not given it
  ] as const) {
    const folder = join(root, 'proc/driver/nvidia/gpus', bus);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'information'),
      `Model: \t\t NVIDIA H200\nBus Location: \t ${bus}\nDevice Minor: \t ${minor}\n`,
    );
    if (minor !== 2) writeFileSync(join(root, 'dev', `nvidia${minor}`), '');
  }
});
afterAll(() => rmSync(root, { recursive: true }));

const canHide = spawnSync('unshare', hide([], ['true']).slice(1)).status === 0;
if (!canHide) console.warn('hiding files is not tested: this process may not have a mount namespace of its own');

describe("NVIDIA's GPUs", () => {
  test('by address, with the minor numbers of their nodes', () => {
    expect(nvidiaGpus(root)).toEqual([
      { bus: '0000:06:00.0', minor: 12 },
      { bus: '0000:41:00.0', minor: 0 },
    ]);
    expect(nvidiaGpus(join(root, 'nowhere'))).toEqual([]);
  });

  test('the GPU opened is the only one whose node is open more often than before', () => {
    const opened = (before: [number, number][], after: [number, number][]): number | undefined =>
      onlyGrown(new Map(before), new Map(after));
    const [enumerated, first, second] = [
      [
        [0, 8],
        [1, 7],
      ],
      [
        [0, 19],
        [1, 7],
      ],
      [
        [0, 8],
        [1, 18],
      ],
    ] satisfies [number, number][][];
    expect([opened(enumerated!, first!), opened(enumerated!, second!), opened([], [[3, 1]])]).toEqual([0, 1, 3]);
    expect(opened(enumerated!, enumerated!)).toBeUndefined();
    expect(opened([], enumerated!)).toBeUndefined();
  });

  test('nothing was opened: no GPU is named', () => {
    expect(watchNvidia()()).toBeNull();
  });

  test('a process is kept to one by hiding the nodes of the others', () => {
    const command = keepTo('0000:06:00.0', nvidiaGpus(root), ['node', 'x.js']);
    expect(command.slice(-4)).toEqual(['1', '/dev/nvidia0', 'node', 'x.js']);
  });

  test.skipIf(!canHide)('hidden files are /dev/null for that process alone', () => {
    const files = [0, 12].map((minor) => join(root, 'dev', `nvidia${minor}`));
    const [program, ...words] = hide(files.slice(0, 1), ['stat', '-c', '%t:%T', ...files]);
    const { status, stdout } = spawnSync(program!, words, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1:3\n0:0\n' });
    expect(spawnSync('stat', ['-c', '%t:%T', files[0]!], { encoding: 'utf8' }).stdout).toBe('0:0\n');
  });

  test.skipIf(!canHide)('a file that cannot be hidden ends the command before it begins', () => {
    const [program, ...words] = hide([join(root, 'missing')], ['echo', 'begun']);
    const { status, stdout } = spawnSync(program!, words, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });
});
