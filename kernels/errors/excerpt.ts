/**
 * Input from outside, as a message may repeat it: one line that a terminal shows as it stands.
 *
 * Control characters, line and paragraph separators, marks that turn the direction of writing, lone surrogates and
 * unassigned characters (Unicode's classes C and Z, but for the space) are written as \x1b or \u{202e}.
 */

/** The longest excerpt of the input that a message repeats, in characters. */
const EXCERPT = 60;

/** Longer names are cut in the middle: a path tells itself by its two ends. */
const LONGEST_NAME = 1024;

/** A piece of input: short, quoted, escaped. */
export function excerpt(text: string): string {
  return `'${beginning(text)}'`;
}

/** The same without quotation marks: for numbers. */
export function beginning(text: string): string {
  return printable(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
}

/** The name of a file, escaped; that of none in quotes. */
export function printableName(name: string): string {
  if (name === '') return "''";
  const half = LONGEST_NAME / 2;
  return printable(name.length > LONGEST_NAME ? `${name.slice(0, half)}…${name.slice(-half)}` : name);
}

/** The whole text, escaped. */
export function printable(text: string): string {
  return text.replace(/(?! )[\p{C}\p{Z}]/gu, (c) => {
    const code = c.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
  });
}
