/** The page: a matrix is dropped, a question asked, and the answer appears. Everything but drawing is the worker's. */
import { hideAnswer, showAnswer } from './answer-view.js';
import { listenForCertificates } from './certificate-form.js';
import { commandLine } from './command-line.js';
import { describeDevices } from './devices.js';
import { afterNextFrame, byId, element } from './element.js';
import { FamilyForm } from './family-form.js';
import { hideFill, showFill } from './fill-view.js';
import { GivenUpError, MatrixDesk } from './matrix-desk.js';
import type { Asking, Lists, MatrixFacts, Source } from './messages.js';
import { arrangeForm, fillForm, modulus, readForm, refusalOf, requireFiles } from './question-form.js';
import { RunView } from './run-view.js';
import { SpyView } from './spy-view.js';

const FILL_LINES = 220;

let source: Source | null = null;
let facts: MatrixFacts | null = null;
let running: AbortController | null = null;

/** This page, among all that know the private files. */
const OWNER = crypto.getRandomValues(new Uint32Array(4)).join('-');

const desk: MatrixDesk = new MatrixDesk(fillLists);
const spyView = new SpyView((wish) => desk.run('raster', wish));
let hasLists = false;

/** A worker that is started again sends them once more. */
function fillLists({ families, storages }: Lists): void {
  if (hasLists) return;
  hasLists = true;
  new FamilyForm(families, (chosen) => void open(chosen));
  byId('storage').replaceChildren(...storages.map((name) => element('option', {}, name)));
}

/** The prime by which entries are +1 or −1: that of the question, where it is one. */
function classModulus(): string {
  return refusalOf(modulus(), 'rank') === null ? modulus() : '0';
}

/** One thing at a time has the bar and the button that ends it. */
async function watched<T>(work: (view: RunView, signal: AbortSignal) => Promise<T>): Promise<T> {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  arrangeButtons();
  const view = new RunView();
  try {
    return await work(view, controller.signal);
  } finally {
    // Another one may have taken its place.
    if (running === controller) {
      running = null;
      view.end();
      arrangeButtons();
    } else view.stop();
  }
}

function arrangeButtons(): void {
  byId<HTMLButtonElement>('run').disabled = source === null || running !== null;
  byId('cancel').hidden = running === null;
}

async function open(chosen: Source): Promise<void> {
  say('matrix-error', '');
  say('question-error', '');
  hideAnswer();
  clearMatrix();
  try {
    await watched(async (view, signal) => {
      facts = await desk.run('open', chosen, { signal, onProgress: (event) => view.take(event) });
      source = chosen;
    });
    hideAnswer('Choose a question and compute.');
    tellFacts();
  } catch (error) {
    if (running !== null) return;
    hideAnswer();
    say('matrix-error', error instanceof GivenUpError ? 'Cancelled.' : (error as Error).message);
  }
  showCommand();
}

/** Nothing of one matrix stands beside the name of another. */
function clearMatrix(): void {
  source = null;
  facts = null;
  byId('matrix-facts').hidden = true;
  spyView.clear();
  hideFill();
}

function tellFacts(): void {
  if (facts === null) return;
  const { name, rows, cols, entries } = facts;
  const told = byId('matrix-facts');
  const sizes = `${name}: ${rows} x ${cols}, ${entries} entries`;
  told.textContent = sizes;
  told.hidden = false;
  byId('status').textContent = sizes;
  const shown = facts;
  afterNextFrame(() => {
    if (facts !== shown) return;
    spyView.show(shown, classModulus());
    void drawFill();
  });
}

async function drawFill(): Promise<void> {
  if (facts === null) return;
  const storage = byId<HTMLSelectElement>('storage').value as Parameters<typeof desk.run<'fill'>>[1]['storage'];
  try {
    showFill(await desk.run('fill', { mod: classModulus(), storage, height: FILL_LINES }));
  } catch (error) {
    const line = element('p', { class: 'idle' }, (error as Error).message);
    byId('fill').replaceChildren(line);
  }
}

async function ask(wish?: Asking): Promise<void> {
  say('question-error', '');
  try {
    const asking = wish ?? readForm();
    requireFiles(asking);
    const chosen = source!;
    byId('answer').scrollIntoView({ block: 'nearest' });
    const answered = await watched(async (view, signal) => {
      const onProgress = (event: Parameters<RunView['take']>[0]): void => view.take(event);
      // A worker that had to be ended took the matrix with it.
      if (desk.isEmpty) await desk.run('open', chosen, { signal, onProgress });
      const told = await desk
        .run('ask', { asking, owner: OWNER }, { signal, onProgress })
        .catch(async (error: Error) => {
          // Nor did it forget what it kept.
          if (error instanceof GivenUpError && desk.isEmpty && asking.keep)
            await desk.run('forget', OWNER).catch(() => undefined);
          throw error;
        });
      view.answered();
      return told;
    });
    showAnswer(answered);
    tellCommand(commandLine(chosen, { ...asking, seed: answered.seed }));
  } catch (error) {
    if (running !== null) return;
    const isCancelled = error instanceof GivenUpError;
    hideAnswer(isCancelled ? 'Cancelled.' : '');
    say('question-error', isCancelled ? '' : (error as Error).message);
    byId('status').textContent = isCancelled ? 'Cancelled' : '';
  }
}

/** Offers the run that a page was left with. */
async function offerKept(): Promise<void> {
  const kept = await desk.run('kept', null);
  if (kept === null) return;
  const { source: left, asking } = kept;
  const name = left.kind === 'file' ? left.file.name : [left.family, ...left.words].join(' ');
  say(
    'kept-text',
    `A run was left before its end: ${subjectOf(asking)} of ${name} mod ${asking.mod}. It goes on where it was kept.`,
  );
  byId('kept').hidden = false;
  byId('go-on').addEventListener('click', async () => {
    byId('kept').hidden = true;
    fillForm(asking);
    await open(left);
    if (source === left) await ask(asking);
  });
  byId('forget').addEventListener('click', async () => {
    byId('kept').hidden = true;
    await desk.run('forget', null);
  });
}

function subjectOf({ question, left }: Asking): string {
  if (question === 'nullspace') return left ? 'the left kernel' : 'the kernel';
  return { rank: 'the rank', minpoly: 'the minimal polynomial', det: 'the determinant', solve: 'a system' }[question];
}

/** A line breaks between two options, not behind the dashes of one. */
function tellCommand(line: string): void {
  const words = line.split(/ (?=-|\| )/);
  byId<HTMLButtonElement>('copy').disabled = line === '';
  byId('command').replaceChildren(...words.flatMap((word, i) => [i === 0 ? '' : ' ', element('span', {}, word)]));
}

function say(id: string, line: string): void {
  byId(id).textContent = line;
}

/** The command line of the form as it stands; none of one that cannot be taken, which says why once it is asked. */
function showCommand(): void {
  const shown = source ?? { kind: 'file', file: new File([], 'FILE') };
  try {
    tellCommand(commandLine(shown, readForm()));
  } catch {
    tellCommand('');
  }
}

function listen(): void {
  const file = byId<HTMLInputElement>('file');
  file.addEventListener('change', () => {
    const [chosen] = file.files ?? [];
    if (chosen !== undefined) void open({ kind: 'file', file: chosen });
    file.value = ''; // the same file may be chosen again
  });
  const isOver = (event: DragEvent): boolean => !(event.target as Element).closest?.('input[type="file"]:not(#file)');
  document.addEventListener('dragover', (event) => {
    if (!isOver(event)) return;
    event.preventDefault();
    document.body.classList.add('dragging');
  });
  document.addEventListener('dragleave', () => document.body.classList.remove('dragging'));
  document.addEventListener('drop', (event) => {
    document.body.classList.remove('dragging');
    if (!isOver(event)) return;
    event.preventDefault();
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped !== undefined) void open({ kind: 'file', file: dropped });
  });
  const form = byId('form');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (source !== null && running === null) void ask();
  });
  form.addEventListener('input', (event) => {
    const { id } = event.target as HTMLElement;
    arrangeForm(id);
    showCommand();
    if (facts === null) return;
    if (id === 'mod') spyView.classBy(classModulus());
    if (id === 'mod' || id === 'storage') void drawFill();
  });
  byId('cancel').addEventListener('click', () => running?.abort());
  byId('copy').addEventListener('click', async () => {
    await navigator.clipboard.writeText(byId('command').textContent!);
    byId('copy').textContent = 'Copied';
    setTimeout(() => say('copy', 'Copy'), 1500);
  });
  listenForCertificates(desk);
}

byId('not-loaded').remove();
listen();
arrangeForm();
showCommand();
await Promise.all([describeDevices().then((text) => say('devices', text)), offerKept()]);
