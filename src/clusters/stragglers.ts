/**
 * Parts of a run that a worker has in hand, and that it makes much slower than the others: a worker with nothing else
 * to do makes them, too, from the last checkpoint on. The first of the two to end has kept the part whole, and the
 * other ends at its next checkpoint (algorithms/block-wiedemann/kept-parts.ts).
 * Source: backup tasks of Dean, Ghemawat 2004, section 3.6.
 */
import type { Job, Queue } from 'bullmq';
import { medianOf, SLOW } from './late-parts.js';

/** How many of those that are done are looked at, the last ones: a queue keeps them for ever. */
const RECENT = 1000;

/** A part in the queue. */
interface PartJob {
  readonly directory: string;
  readonly stage: string;
  readonly part?: number;
  readonly uploaded?: string;
}

/** Puts parts that are slow into the queue once more, each once in all; their jobs stay. How many are slow. */
export async function repeatSlow(queue: Queue<PartJob>): Promise<number> {
  const parts = (await queue.getActive()).filter(isPart);
  if (parts.length === 0) return 0;
  const done = (await queue.getCompleted(0, RECENT - 1)).filter(isPart);
  const now = Date.now();
  const slow = parts.filter((job) => {
    const typical = medianOf(done.filter((other) => areOfOne(other, job)).map(timeOf));
    return now - (job.processedOn ?? now) > SLOW * typical;
  });
  for (const { id, name, data } of slow) await queue.add(name, data, { jobId: `${AGAIN}${id!}` });
  return slow.length;
}

/**
 * Whether another worker has had what the job is about in hand before, as where a run is submitted again: it makes that
 * to its end, or is missed and its job goes back into the queue.
 */
export async function isInHand(queue: Queue<PartJob>, job: Job<PartJob>): Promise<boolean> {
  if (job.id!.startsWith(AGAIN)) return false;
  const isBefore = (other: Job<PartJob>): boolean =>
    (other.processedOn! - job.processedOn! || Number(other.id! > job.id!) - Number(other.id! < job.id!)) < 0;
  return (await queue.getActive()).some((other) => isSame(other.data, job.data) && isBefore(other));
}

/** A run that was uploaded goes by its id, wherever that was; folders of a name may be on two machines. */
function isSame(one: PartJob, other: PartJob): boolean {
  const isOfOne = one.uploaded === other.uploaded && (one.uploaded !== undefined || one.directory === other.directory);
  return isOfOne && one.stage === other.stage && one.part === other.part;
}

/** What the id of a job begins with that repeats another: the queue takes an id once. */
const AGAIN = 'again-';

/** Those that repeat another wait for none, and have no parent. */
const isPart = ({ data, parent }: Job<PartJob>): boolean => data.stage === 'krylov' && parent !== undefined;

/** Of one run, submitted once: a folder may have had another run, or parts that were made before. */
const areOfOne = (one: Job<PartJob>, other: Job<PartJob>): boolean => one.parent?.id === other.parent?.id;

const timeOf = ({ processedOn, finishedOn }: Job): number => (finishedOn ?? 0) - (processedOn ?? 0);
