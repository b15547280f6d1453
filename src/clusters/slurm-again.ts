/**
 * Parts of a run that come late on their nodes, or that no job makes: Slurm is asked to make them once more.
 *
 *   late      another job makes the part on other nodes, from its last checkpoint on; the first of the two to end keeps
 *             it whole, and tells the other's shell, which ends well (slurm-scripts.ts)
 *   missing   its task has failed, or was cancelled
 *
 * A job that has made its part looks for late ones, once each, since what a part takes is known by then. Where nobody
 * else comes to look, and others are still at work, it leaves a short job behind that looks again.
 */
import { appendFileSync, closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { type PartStanding, readParts } from '../../algorithms/block-wiedemann/part-standings.js';
import { RunFolder } from '../io/run-folder.js';
import { lookAt, readPlan } from './kept-plan.js';
import { type Forecast, forecastOf, usualPace } from './late-parts.js';
import { ask, cancelJobs, jobsOf, type SlurmJob, submitJob, submitWords, tellMade } from './slurm-jobs.js';
import { SCRIPTS } from './slurm-scripts.js';

/** Seconds from one look to the next, at least and at most. */
const LOOKS = [10, 3600] as const;

export interface MadeAgain {
  readonly part: number;
  readonly why: 'late' | 'missing';
  readonly done: number; // blocks that are kept
  readonly total: number;
  readonly left: number | null; // seconds (late-parts.ts); null where that is not known
  readonly instead: number | null;
  readonly jobs: readonly string[]; // numbers of Slurm's
}

export interface AgainOptions {
  readonly patience: number; // seconds (late-parts.ts)
  /** A job asks: each part is made again once, those that no job makes are left, and a later look is taken. */
  readonly isUnattended: boolean;
}

interface PartAtWork {
  readonly standing: PartStanding;
  readonly job: SlurmJob;
  readonly forecast: Forecast | null; // before a part is done
}

/** Throws OptionError where no run is planned there, and DeviceError where Slurm refuses. */
export async function makeAgain(directory: string, options: AgainOptions): Promise<MadeAgain[]> {
  const { patience, isUnattended } = options;
  const { run } = await readPlan(directory);
  const scripts = `${directory}/${SCRIPTS}`;
  const jobs = await jobsOf(scripts); // before the parts: what has ended in between is done
  const { parts, next } = (await readParts(lookAt(RunFolder.reading(directory), run)))!;
  const open = next === 'krylov' ? parts.filter(({ done, total }) => done < total) : [];
  if (isUnattended) await endNeedless(scripts, jobs, open.length === 0);
  const makers = (part: number): SlurmJob[] =>
    jobs.filter((job) => job.script === 'krylov' && job.part === part && job.id !== ownJob());
  const usual = usualPace(parts);
  const atWork = open.flatMap((standing): PartAtWork[] => {
    const [job, ...others] = makers(standing.part);
    if (!job?.isAtWork || others.length > 0) return [];
    const times = { since: job.since, now: Date.now(), patience };
    const forecast = usual === null ? null : forecastOf(standing, usual, times);
    return [{ standing, job, forecast }];
  });
  // First: where submit.sh makes them it begins without marks.
  const missing = isUnattended ? [] : open.filter(({ part }) => makers(part).length === 0);
  const begun = await makeMissing(scripts, jobs, missing);
  const again: MadeAgain[] = [];
  for (const each of atWork) {
    const isFirst = each.forecast?.isLate && mark(scripts, each.standing.part);
    if (!each.forecast?.isLate || (isUnattended && !isFirst)) continue;
    try {
      again.push(await makeElsewhere(scripts, each));
    } catch (error) {
      if (isFirst) rmSync(markOf(scripts, each.standing.part), { force: true }); // a later look may find room
      throw error;
    }
  }
  if (!isUnattended) return [...again, ...begun];
  const looksElse = jobs.some(({ id, script, isAtWork }) => !isAtWork && id !== ownJob() && /krylov|look/.test(script));
  if (open.some(({ part }) => makers(part).length > 0) && !looksElse) await lookLater(scripts, atWork, patience);
  return again;
}

/** Others that make the part of this job, which is made, and where all are made what waits to look, or to make one. */
async function endNeedless(scripts: string, jobs: readonly SlurmJob[], isMade: boolean): Promise<void> {
  const made = process.env['SLURM_ARRAY_TASK_ID'];
  const isOwn = ({ script, part }: SlurmJob): boolean => script === 'krylov' && part !== null && `${part}` === made;
  const others = jobs.filter(({ id }) => id !== ownJob());
  for (const { id } of others.filter((job) => job.isAtWork && isOwn(job)))
    await unlessEnded(scripts, [id], tellMade(scripts, id));
  // What waits for an array of submit.sh is to find it ended well.
  const isBackup = ({ id, part }: SlurmJob): boolean => part !== null && backupsOf(scripts, part).includes(id);
  const needless = others.filter(
    (job) => !job.isAtWork && (job.script === 'look' ? isMade : isBackup(job) && (isMade || isOwn(job))),
  );
  const ids = needless.map(({ id }) => id);
  await unlessEnded(scripts, ids, cancelJobs(scripts, ids));
}

/** Slurm refuses to signal what has ended since squeue told of it, and that needs no more. */
async function unlessEnded(scripts: string, ids: readonly string[], signalling: Promise<void>): Promise<void> {
  try {
    await signalling;
  } catch (error) {
    if ((await jobsOf(scripts)).some(({ id }) => ids.includes(id))) throw error;
  }
}

/** As squeue names the job that asks; '' outside any. */
function ownJob(): string {
  const { SLURM_ARRAY_JOB_ID, SLURM_ARRAY_TASK_ID, SLURM_JOB_ID = '' } = process.env;
  return SLURM_ARRAY_JOB_ID === undefined ? SLURM_JOB_ID : `${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}`;
}

/** The file that says that a part is made again, and by which jobs. */
const markOf = (scripts: string, part: number): string => `${scripts}/again-${part}`;

/** Whether nobody has made the part again before; jobs that end at the same time may ask. */
function mark(scripts: string, part: number): boolean {
  try {
    closeSync(openSync(markOf(scripts, part), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function backupsOf(scripts: string, part: number): string[] {
  try {
    return readFileSync(markOf(scripts, part), 'utf8').trim().split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function makeElsewhere(scripts: string, { standing, job, forecast }: PartAtWork): Promise<MadeAgain> {
  const { part, done, total } = standing;
  const submit = (...words: string[]): Promise<string> =>
    submitJob(scripts, `--array=${part}`, ...words, 'krylov.sbatch');
  // Where there are no other nodes the same one may have become faster, or have room.
  const number = await submit(`--exclude=${job.nodes}`).catch(() => submit());
  appendFileSync(markOf(scripts, part), `${number}_${part}\n`);
  const { left, instead } = forecast!;
  return { part, why: 'late', done, total, left, instead, jobs: [number] };
}

/** With what comes behind them, where that does not wait already. */
async function makeMissing(
  scripts: string,
  jobs: readonly SlurmJob[],
  missing: readonly PartStanding[],
): Promise<MadeAgain[]> {
  if (missing.length === 0) return [];
  const array = `--array=${missing.map(({ part }) => part).join()}`;
  const isFollowed = jobs.some(({ script }) => script === 'generator');
  const numbers = isFollowed
    ? [await submitJob(scripts, array, 'krylov.sbatch')]
    : (await ask('sh', [`${scripts}/submit.sh`, ...submitWords(scripts), array], scripts)).trim().split(' ');
  return missing.map(({ part, done, total }) => {
    return { part, why: 'missing', done, total, left: null, instead: null, jobs: numbers };
  });
}

/** When those that are at work should have ended. */
async function lookLater(scripts: string, atWork: readonly PartAtWork[], patience: number): Promise<void> {
  const ends = atWork.flatMap(({ forecast }) => (forecast ? [forecast.isLate ? forecast.instead : forecast.left] : []));
  const seconds = Math.min(LOOKS[1], Math.max(LOOKS[0], patience, ...ends));
  await submitJob(scripts, `--begin=now+${Math.ceil(seconds)}`, 'look.sbatch');
}
