/**
 * The page's worker: it holds the matrix, reads it, draws its rasters, and asks the engine, whose threads are workers
 * of its own. So the page's thread has nothing to do but draw.
 */
import { CertificateError } from '../../algorithms/certificate/certificate-error.js';
import { FAMILIES } from '../../data/families.js';
import { FORMAT_NAMES } from '../../kernels/sparse/formats/index.js';
import { verifyCertificate } from '../engine/verify-certificate.js';
import { readMatrix } from '../io/read-matrix.js';
import type { ProgressEvent } from '../questions/options.js';
import { answerQuestion } from './answer-question.js';
import { fillPanels } from './fill-panels.js';
import { findKept, keeping, removeKept } from './kept-run.js';
import type { FromWorker, JobName, Jobs, ToWorker, Verified } from './messages.js';
import { factsOf, type Opened, openMatrix, watchedBytes } from './open-matrix.js';
import { ProgressSieve } from './progress-sieve.js';
import { windowImage } from './window-raster.js';

interface Watched {
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

const NOT_KEPT = 'not kept: this browser has no private files for the page, or another tab keeps a run';

let opened: Opened | null = null;

function matrixHeld(): Opened {
  if (opened === null) throw new Error('expected a matrix, got none yet');
  return opened;
}

const JOBS: { readonly [J in JobName]: (given: Jobs[J]['given'], watched: Watched) => Promise<Jobs[J]['answer']> } = {
  async open(source, { signal, onProgress }) {
    opened = null; // its memory first
    opened = await openMatrix(source, signal, onProgress);
    return factsOf(opened);
  },
  async raster(wish) {
    return windowImage(matrixHeld().matrix, wish);
  },
  async fill(wish) {
    return fillPanels(matrixHeld().matrix, wish);
  },
  async ask({ asking, owner }, watched) {
    const held = matrixHeld();
    if (!asking.keep) return answerQuestion(held, asking, watched);
    return keeping({ source: held.source, asking }, owner, async (store) => {
      const answered = await answerQuestion(held, asking, watched, store);
      return store === null ? { ...answered, warnings: [...answered.warnings, NOT_KEPT] } : answered;
    });
  },
  kept: () => findKept(),
  async forget(owner) {
    await removeKept(owner);
    return null;
  },
  async verify({ certificate, name, matrix: file }, { signal, onProgress }) {
    const text = await certificate.text();
    const matrix =
      file === null
        ? matrixHeld().matrix
        : await readMatrix(watchedBytes(file, signal, onProgress), { name: file.name });
    return verify(text, name, matrix);
  },
};

function verify(text: string, name: string, matrix: Opened['matrix']): Verified {
  try {
    const verdict = verifyCertificate(text, matrix);
    if (!verdict.holds) return { holds: false, text: `${name}: ${verdict.reason}` };
    const { rank, mod, errorLog2 } = verdict;
    const sizes = `${matrix.rows} x ${matrix.cols}`;
    return {
      holds: true,
      text: `rank ${rank} of ${sizes} mod ${mod}: certified, error below 2^${errorLog2} a bound`,
    };
  } catch (error) {
    if (error instanceof CertificateError) return { holds: false, text: `${name}: ${error.message}` };
    throw error;
  }
}

const running = new Map<number, AbortController>();

const post = (message: FromWorker): void => self.postMessage(message);

async function take<J extends JobName>(job: J, id: number, given: Jobs[J]['given']): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const sieve = new ProgressSieve((event) => post({ kind: 'progress', id, event }));
  try {
    const watched = { signal: controller.signal, onProgress: (event: ProgressEvent) => sieve.take(event) };
    const answer = await JOBS[job](given, watched);
    sieve.flush();
    post({ kind: 'answer', id, answer });
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
    post({ kind: 'failure', id, message, isCancelled: controller.signal.aborted });
  } finally {
    running.delete(id);
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.job === 'cancel') running.get(data.id)?.abort();
  else void take(data.job, data.id, data.given);
});

post({
  kind: 'lists',
  lists: {
    families: FAMILIES.map(({ name, doc, args }) => ({
      ...{ name, doc },
      args: args.map((arg) => ({ name: arg.name, min: arg.min, preset: arg.default ?? null })),
    })),
    // A browser has no encoder for matrices as code.
    storages: ['auto', ...FORMAT_NAMES.filter((name) => name !== 'jit')],
  },
});
