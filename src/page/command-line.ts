/** The command line that asks what the page asks: for a copy of the question to keep, or a longer run elsewhere. */
import type { Asking, Source } from './messages.js';

/** A word of a POSIX shell. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A name of a file; one that begins like an option is told by its folder. */
function fileWord(name: string): string {
  return shellWord(name.startsWith('-') ? `./${name}` : name);
}

export function commandLine(source: Source, asking: Asking): string {
  const command = `npx wiedemann ${asking.question}`;
  const options = optionsOf(asking).join(' ');
  const right = asking.question === 'solve' ? ` ${fileWord(asking.right?.name ?? 'B')}` : '';
  if (source.kind === 'file') return `${command} ${fileWord(source.file.name)}${right} ${options}`;
  const generated = ['npx wiedemann generate', source.family, ...source.words].join(' ');
  const standardInput = asking.question === 'solve' ? ' -' : '';
  return `${generated} | ${command}${standardInput}${right} ${options}`;
}

function optionsOf(asking: Asking): string[] {
  const { question, mod, method, device, threads, storage, seed } = asking;
  const hasProducts = ['rank', 'minpoly', 'det'].includes(question);
  return [
    `-p ${mod}`,
    ...(question !== 'minpoly' && method !== 'auto' ? [`--method ${method}`] : []),
    ...(device === 'auto' ? [] : [`--device ${device}`]),
    ...(threads === null ? [] : [`--threads ${threads}`]),
    ...(hasProducts && storage !== 'auto' ? [`--storage ${storage}`] : []),
    ...(seed === null ? [] : [`--seed ${shellWord(seed)}`]),
    ...(hasProducts && !asking.verify ? ['--no-verify'] : []),
    ...(question === 'rank' && asking.certificate ? ['--certificate certificate.txt'] : []),
    ...(question === 'nullspace' && asking.left ? ['--left'] : []),
    ...(question === 'nullspace' && asking.vectors !== null ? [`--vectors ${asking.vectors}`] : []),
  ];
}
