/** Asks the engine of the library, and says the outcome in the words of the page, with files to take away. */
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import { createEngine, type Engine } from '../engine/engine.js';
import { readRightSides } from '../io/read-right-sides.js';
import { SMS_END, smsHeader, smsRows, writeDense } from '../io/write-dense.js';
import { claimOf } from '../questions/claim.js';
import type {
  KeptOptions,
  KernelMethod,
  Method,
  ProgressEvent,
  QuestionOptions,
  RationalMethod,
  SystemMethod,
} from '../questions/options.js';
import type { NullspaceOutcome, Outcome, SolveOutcome } from '../questions/outcome.js';
import { valuesOf } from '../questions/solution-values.js';
import type { Answered, Asking, Download } from './messages.js';
import { type Opened, watchedBytes } from './open-matrix.js';

interface Watched {
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** Coefficients of a polynomial that are shown on the page; all of them are in its file. */
const FEW = 6;

/** Seconds between two checkpoints at least; the library takes more where they would take 2 % of the time. */
const INTERVAL = 2;

/** The engine keeps its threads from one question to the next. */
let engine: Engine | undefined;

/** `store` keeps the run, where it is to be kept. */
export async function answerQuestion(
  opened: Opened,
  asking: Asking,
  watched: Watched,
  store: CheckpointStore | null = null,
): Promise<Answered> {
  engine ??= createEngine();
  const { outcome, ...told } = await ANSWERS[asking.question](engine, opened, asking, watched, store);
  return { ...told, ...reportOf(outcome, asking) };
}

interface Told {
  readonly outcome: Outcome<unknown>;
  readonly headline: string;
  readonly subject: string;
  readonly downloads: readonly Download[];
}

type Answer = (
  engine: Engine,
  opened: Opened,
  asking: Asking,
  watched: Watched,
  store: CheckpointStore | null,
) => Promise<Told>;

const ANSWERS: Readonly<Record<Asking['question'], Answer>> = {
  rank: async (engine, { matrix, name }, asking, watched, store) => {
    const { method, certificate } = asking;
    const options = { ...commonOf(asking), ...productsOf(asking), ...watched, method: method as Method, certificate };
    const outcome = await engine.rank(matrix, { ...options, ...keptIn(store) });
    const text = outcome.certificate;
    const file = text === null ? [] : [download('Certificate', `${stem(name)}.certificate.txt`, [text])];
    return { outcome, headline: `${outcome.value}`, subject: `rank ${outcome.value}`, downloads: file };
  },
  minpoly: async (engine, { matrix, name }, asking, watched, store) => {
    const options = { ...commonOf(asking), ...productsOf(asking), ...watched, ...keptIn(store) };
    const outcome = await engine.minpoly(matrix, options);
    const coefficients = Array.from<number | bigint>(outcome.value);
    const degree = coefficients.length - 1;
    const file = download('Coefficients', `${stem(name)}.minpoly.txt`, [`${coefficients.join('\n')}\n`]);
    const subject = `minimal polynomial of degree ${degree}`;
    return { outcome, headline: leadingTerms(coefficients), subject, downloads: [file] };
  },
  det: async (engine, { matrix }, asking, watched, store) => {
    const options = { ...commonOf(asking), ...productsOf(asking), ...watched, method: asking.method as Method };
    const outcome = await engine.det(matrix, { ...options, ...keptIn(store) });
    const found = outcome.value === null ? 'not found' : `${outcome.value}`;
    return { outcome, headline: found, subject: `determinant ${found}`, downloads: [] };
  },
  solve: async (engine, { matrix, name }, asking, watched, store) => {
    const file = asking.right!;
    const right = await readRightSides(
      watchedBytes(file, watched.signal, () => {}),
      { name: file.name },
    );
    const method = asking.method as SystemMethod | RationalMethod;
    const options = { ...commonOf(asking), ...watched, method, ...keptIn(store) };
    const outcome = await engine.solve(matrix, right.matrix, options);
    return solved(outcome, asking.mod === '0' && right.form !== 'sms' ? 'lines' : right.form, stem(name));
  },
  nullspace: async (engine, { matrix, name }, asking, watched, store) => {
    const { left, vectors } = asking;
    const pieces: string[] = [];
    const outcome = await engine.nullspace(matrix, {
      ...{ ...commonOf(asking), ...watched, method: asking.method as KernelMethod, left },
      ...(vectors === null ? {} : { vectors }),
      ...keptIn(store),
      onVectors: (batch) => {
        if (pieces.length === 0) pieces.push(smsHeader(batch.total, batch.length));
        pieces.push(...smsRows(batch));
      },
    });
    if (pieces.length === 0) pieces.push(smsHeader(0, left ? matrix.rows : matrix.cols));
    return kernelOf(
      outcome,
      left,
      download('Vectors as rows of SMS', `${stem(name)}.kernel.sms`, [...pieces, SMS_END]),
    );
  },
};

function solved(outcome: SolveOutcome, form: Parameters<typeof writeDense>[0], stem: string): Told {
  const { value, rightSides, inconsistent } = outcome;
  if (inconsistent !== null) {
    const subject = `no solution for column ${inconsistent.column + 1} of B`;
    const file = download('u with uA = 0, u·b not 0', `${stem}.inconsistency.txt`, [
      ...writeDense('lines', outcome.rows, 1, inconsistent.certificate),
    ]);
    return { outcome, headline: 'no solution', subject, downloads: [file] };
  }
  if (value === null)
    return { outcome, headline: 'not found', subject: 'no solution found, none refuted', downloads: [] };
  const headline = rightSides === 1 ? 'solved' : `${rightSides} right sides solved`;
  const file = download('Solution', `${stem}.solution.txt`, [
    ...writeDense(form, outcome.cols, rightSides, valuesOf(value)),
  ]);
  return { outcome, headline, subject: rightSides === 1 ? 'solution' : `${rightSides} solutions`, downloads: [file] };
}

function kernelOf(outcome: NullspaceOutcome, left: boolean, file: Download): Told {
  const { dimension, vectors } = outcome;
  const space = left ? 'left kernel' : 'kernel';
  const headline = dimension === null ? `${vectors} vectors` : `dimension ${dimension}`;
  const subject = dimension === null ? `${vectors} random vectors of the ${space}` : `${space} of ${headline}`;
  return { outcome, headline, subject, downloads: vectors === 0 ? [] : [file] };
}

function keptIn(store: CheckpointStore | null): KeptOptions {
  return store === null ? {} : { checkpoint: { store, interval: INTERVAL } };
}

/** The options of every question. */
function commonOf({
  mod,
  device,
  threads,
  seed,
}: Asking): Pick<QuestionOptions, 'mod' | 'device' | 'threads' | 'seed'> {
  return { mod, device, ...(threads === null ? {} : { threads }), ...(seed === null ? {} : { seed }) };
}

/** Those of questions whose products have a storage. */
function productsOf({ storage, verify }: Asking): Pick<QuestionOptions, 'storage' | 'verify'> {
  return { storage, verify };
}

function reportOf(
  outcome: Outcome<unknown>,
  { question }: Asking,
): Omit<Answered, 'headline' | 'subject' | 'downloads'> {
  const { kind, rows, cols, mod, method, device, adapter, threads, block, seed, seconds } = outcome;
  const reasons = outcome.certificateReason === undefined ? [] : [`no certificate: ${outcome.certificateReason}`];
  return {
    ...{ question, kind, claim: claimOf(outcome), rows, cols, mod: `${mod}`, method, device, adapter, threads },
    ...{ seed: `${seed}`, seconds, explanation: outcome.explanation, warnings: [...outcome.warnings, ...reasons] },
    entries: outcome.nnz ?? 0,
    block: block === null ? null : block.join(' x '),
  };
}

function leadingTerms(coefficients: readonly (number | bigint)[]): string {
  const degree = coefficients.length - 1;
  const terms: string[] = [];
  let power = degree;
  for (; power >= 0 && terms.length < FEW; power--) {
    const c = coefficients[power]!;
    if (BigInt(c) === 0n) continue;
    const x = power === 0 ? '' : power === 1 ? 'x' : `x^${power}`;
    terms.push(x === '' ? `${c}` : BigInt(c) === 1n ? x : `${c} ${x}`);
  }
  return `${terms.join(' + ') || '0'}${power >= 0 ? ' + …' : ''}`;
}

function download(label: string, name: string, pieces: readonly string[]): Download {
  return { label, name, blob: new Blob([...pieces], { type: 'text/plain' }) };
}

/** The name of a file without what says its format. */
function stem(name: string): string {
  return name.replace(/\.gz$/i, '').replace(/\.(sms|mtx|mm|txt)$/i, '') || 'matrix';
}
