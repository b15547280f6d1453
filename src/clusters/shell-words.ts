/** Words of a command as a POSIX shell reads them. */

const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function shellCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
