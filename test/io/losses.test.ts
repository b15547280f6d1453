/**
 * Kept runs whose disk loses power or room between any two of its operations, or has changed a bit: they go on to the
 * same answer, and nothing is lost but the steps since the last checkpoint.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RunFolder } from '../../dist/src/io/run-folder.js';
import { CounterRandom } from '../../fields/random.js';
import { gpuMissing } from '../gpu.js';
import { answerOn, type KeptQuestion, type KeptRun, keptQuestions, questionOnGpu } from './kept-questions.js';
import { LosingDisk } from './losing-disk.js';

const FOLDER = '/losing-disk';

/** Operations of a run at which something is lost, and bits that change; `npm run slow` takes all, of all questions. */
const MOMENTS = Number(process.env['MOMENTS'] ?? 2);
const FLIPS = Number(process.env['FLIPS'] ?? 20);
const FLIPS_ON_GPU = Number(process.env['FLIPS'] ?? 6);

// A checkpoint after every interval of steps, whatever the machine does.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const right = { isRight: true, error: null, warnings: [] };

/** Of operations 1 … count, spread over all of them. */
function momentsOf(count: number, random: CounterRandom): number[] {
  if (MOMENTS >= count) return Array.from({ length: count }, (_, i) => i + 1);
  return Array.from(
    { length: MOMENTS },
    (_, i) => 1 + Math.floor(((i + random.residueAt(i, 997) / 997) * count) / MOMENTS),
  );
}

const onGpu = questionOnGpu();

/** Whether a run came to its end before that operation: a GPU's writes less where it is ahead of the disk. */
function isOver(disk: LosingDisk, at: number, { name }: KeptQuestion): boolean {
  return name === onGpu.name && disk.operations < at;
}

/** What the run before had kept is not made again: loops go on from there, and what loops came to is there. */
function expectFurther(again: KeptRun, { kept }: KeptRun, what: string): void {
  const repeated = again.written.filter(([name, steps]) => {
    const before = kept.get(name);
    return before !== undefined && (steps === null || before === null || steps < before);
  });
  expect(repeated, what).toEqual([]);
}

const questions = keptQuestions().filter((_, i) => MOMENTS > 2 || i % 3 === 2);
if (gpuMissing === null) questions.push(onGpu);

describe.each(questions)('$name', (question) => {
  test('the power goes: the run goes on from its last checkpoint', async () => {
    const whole = new LosingDisk(FOLDER);
    expect(await answerOn(whole, question)).toMatchObject(right);
    expect(whole.operations).toBeGreaterThan(60);
    const random = new CounterRandom(31n, 0);
    const moments = momentsOf(whole.operations, random);
    let wentOn = 0;
    for (const [i, at] of moments.entries()) {
      for (const mixture of ['durable', 'mixed'] as const) {
        const disk = new LosingDisk(FOLDER);
        disk.loss = { what: 'power', at };
        const lost = await answerOn(disk, question);
        const what = `operation ${at} of ${whole.operations}, ${mixture}`;
        expect(lost.isRight, what).toBe(isOver(disk, at, question));
        let drawn = 1000 * (i + 1);
        disk.restart(() => mixture === 'mixed' && random.residueAt(drawn++, 2) === 1);
        const again = await answerOn(disk, question);
        expect(again, what).toMatchObject(right);
        expectFurther(again, lost, what);
        if (lost.kept.size > 0) wentOn++;
      }
    }
    expect(wentOn).toBeGreaterThan(moments.length / 2);
    if (MOMENTS >= whole.operations) console.log(`power: ${2 * moments.length} losses, ${wentOn} with something kept`);
  });

  test('no room from some operation on: one line, and the run goes on when there is room', async () => {
    const whole = new LosingDisk(FOLDER);
    await answerOn(whole, question);
    const moments = momentsOf(whole.operations, new CounterRandom(32n, 0));
    let refused = 0;
    for (const at of moments) {
      const disk = new LosingDisk(FOLDER);
      disk.loss = { what: 'room', at };
      const full = await answerOn(disk, question);
      const what = `operation ${at} of ${whole.operations}`;
      // What gives room back may be all that was left to do.
      if (full.error === null) expect(full.isRight, what).toBe(true);
      else {
        const message = `${FOLDER}: no space left on the disk`;
        expect(full.error, what).toMatchObject({ name: 'RunFolderError', message });
        refused++;
      }
      disk.loss = null;
      const again = await answerOn(disk, question);
      expect(again, what).toMatchObject(right);
      expectFurther(again, full, what);
    }
    expect(refused).toBeGreaterThan(moments.length / 2);
    if (MOMENTS >= whole.operations) console.log(`room: ${moments.length} losses, ${refused} ended the run`);
  });
});

// Bits change under every verb.
const verbOf = ({ commands }: KeptQuestion): string => commands.at(-1)!.verb;
const changed = keptQuestions().filter(
  (own, i, all) => MOMENTS > 2 || all.findIndex((each) => verbOf(each) === verbOf(own)) === i,
);
if (gpuMissing === null) changed.push(onGpu);

test.each(changed)(
  '$name: a bit of a file changes while the run is ended, is met, named, and made again',
  async (question) => {
    const flips = question === onGpu ? FLIPS_ON_GPU : FLIPS;
    const whole = new LosingDisk(FOLDER);
    await answerOn(whole, question);
    const random = new CounterRandom(33n, 0);
    let [met, stopped] = [0, 0];
    for (let i = 0; i < flips; i++) {
      const disk = new LosingDisk(FOLDER);
      // At a moment behind the manifest, by a stop or without warning.
      const at = 12 + random.residueAt(5 * i, whole.operations - 12);
      if (i % 2 === 0) disk.loss = { what: 'power', at };
      const ended = await answerOn(disk, question, i % 2 === 0 ? Number.POSITIVE_INFINITY : 1 + (at % 12));
      if (i % 2 === 0) expect(ended.error === null).toBe(isOver(disk, at, question));
      else if (ended.error !== null) {
        expect(ended.error).toMatchObject({ name: 'StoppedError' });
        stopped++;
      }
      disk.restart(() => true);
      const files = [...disk.files()].filter(([name]) => !name.startsWith('.'));
      const [name, file] = files[random.residueAt(5 * i + 1, files.length)]!;
      const byte = random.residueAt(5 * i + 2, file.bytes.length);
      file.bytes = file.bytes.slice();
      file.bytes[byte]! ^= 1 << random.residueAt(5 * i + 3, 8);
      const again = await answerOn(disk, question);
      const what = `operation ${at}, byte ${byte} of ${name}`;
      expect(again, what).toMatchObject({ isRight: true, error: null });
      const isNamed = again.warnings.some((line) => line.includes(`${name} `));
      expect(isNamed, what).toBe(disk.hasRead(file));
      if (isNamed) met++;
    }
    // Where a run stands is not read to go on, nor are arrays that later ones have made needless.
    expect(met).toBeGreaterThanOrEqual(1);
    if (flips > 20) {
      expect(met).toBeGreaterThan(flips / 4);
      console.log(`flips: ${flips}, ${met} read and named, the others never read; ${stopped} runs had stopped`);
    }
  },
);

test('what was removed does not come back beside what was kept later', async () => {
  for (let at = 1; ; at++) {
    const disk = new LosingDisk(FOLDER);
    const keep = (isWhole: boolean): Promise<void> =>
      disk.during(async () => {
        const folder = await RunFolder.open(FOLDER);
        await folder.write('attempt-1', Uint8Array.of(1));
        if (!isWhole) disk.loss = { what: 'power', at: disk.operations + at };
        await folder.remove('attempt-1');
        await folder.write('way.json', Uint8Array.of(2));
      });
    const isOver = await keep(false).then(
      () => true,
      () => false,
    );
    // The worst that a disk may do: it has the new name, and the old one that was removed.
    disk.restart((name) => name !== 'attempt-1');
    if (disk.files().has('way.json')) expect([...disk.files().keys()], `operation ${at}`).not.toContain('attempt-1');
    if (isOver) return;
  }
});
