/** An outcome on the page: the answer, what is proved of it, where it was computed and why there, and its files. */
import { afterNextFrame, byId, element } from './element.js';
import type { Answered, Download } from './messages.js';
import { secondsText } from './pace.js';
import { phaseWords } from './run-view.js';

/** Addresses of the files on offer, which hold memory. */
let offered: string[] = [];

export function showAnswer(answered: Answered): void {
  const { headline, kind, claim, subject, rows, cols, mod } = answered;
  const over = mod === '0' ? 'over Q' : `mod ${mod}`;
  const sentence = `${subject} of ${rows} x ${cols} ${over}`;
  const outcome = byId('outcome');
  outcome.replaceChildren(
    element('div', { class: 'headline', id: 'headline' }, headline),
    element(
      'div',
      { class: 'claim' },
      element('span', { class: `badge ${kind}` }, claim),
      element('span', {}, sentence),
    ),
    factList(answered),
    ...downloadsOf(answered.downloads),
    ...reasonsOf('Warnings', answered.warnings, true),
    ...reasonsOf('Why this method, and what it met', answered.explanation, false),
  );
  outcome.hidden = false;
  byId('idle').hidden = true;
  byId('status').textContent = `${sentence}: ${claim}`;
  afterNextFrame(() => showTimes(answered.seconds));
}

const START = byId('idle').textContent!;

/** What two panels say where nothing has been computed. */
const idle = ['times', 'growth'].map((id) => [byId(id), [...byId(id).children]] as const);

/** `line` stands where the answer would. */
export function hideAnswer(line: string = START): void {
  byId('outcome').hidden = true;
  byId('idle').textContent = line;
  byId('idle').hidden = false;
  for (const [panel, lines] of idle) panel.replaceChildren(...lines);
}

function factList(answered: Answered): HTMLElement {
  const { method, device, adapter, threads, block, seed, seconds } = answered;
  const host = device === 'reference' ? 'the reference executor' : `${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  const facts: readonly [string, string][] = [
    ['time', secondsText(seconds['total'] ?? 0)],
    ['on', adapter === null ? host : `${adapter} and ${host}`],
    ['method', method],
    ...(block === null ? [] : [['block', block] as [string, string]]),
    ['seed', seed],
  ];
  return element(
    'dl',
    { class: 'answer-facts' },
    ...facts.flatMap(([name, value]) => [element('div', {}, element('dt', {}, name), element('dd', {}, value))]),
  );
}

function downloadsOf(downloads: readonly Download[]): HTMLElement[] {
  for (const address of offered) URL.revokeObjectURL(address);
  offered = downloads.map(({ blob }) => URL.createObjectURL(blob));
  if (downloads.length === 0) return [];
  const links = downloads.map(({ label, name, blob }, i) =>
    element('a', { href: offered[i]!, download: name }, `${label}: ${name} (${bytesText(blob.size)})`),
  );
  return [element('div', { class: 'downloads' }, ...links)];
}

function bytesText(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 10_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(0)} MB`;
}

function reasonsOf(title: string, lines: readonly string[], isOpen: boolean): HTMLElement[] {
  if (lines.length === 0) return [];
  const list = element('ul', { class: 'reasons' }, ...lines.map((line) => element('li', {}, line)));
  return [element('details', isOpen ? { open: '' } : {}, element('summary', {}, title), list)];
}

function showTimes(seconds: Readonly<Record<string, number>>): void {
  const { total = 0, ...phases } = seconds;
  const taken = Object.entries(phases).filter(([, time]) => time > 0);
  const longest = Math.max(total, ...taken.map(([, time]) => time));
  const lines = [...taken, ['total', total] as const].flatMap(([phase, time]) => {
    const bar = element('div', { class: 'time-bar' });
    bar.style.width = `${(100 * time) / longest}%`;
    const name = phase === 'total' ? 'Total' : phaseWords(phase);
    return [
      element('dt', {}, name),
      element('dd', { 'aria-hidden': 'true' }, bar),
      element('dd', {}, secondsText(time)),
    ];
  });
  byId('times').replaceChildren(element('dl', { class: 'times' }, ...lines));
}
