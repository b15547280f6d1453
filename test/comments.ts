/** The comments of the repository's sources, line by line. */
import { textOf, trackedFiles } from './tracked.js';

export interface CommentLine {
  readonly path: string;
  readonly line: number; // from 1
  readonly text: string; // of the comment alone
  readonly columns: number; // of the whole line
}

/** Strings and template literals, which hide what looks like a comment, and comments. */
export const COMMENT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
/** The same of Python, whose comments include what stands between three quotes. */
const PYTHON = /"""[\s\S]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|#[^\n]*/g;
const SOURCE = /\.(ts|mjs|wgsl|cpp|c|h)$/;

/** Of the files in these folders. */
export function commentLines(folders: readonly string[]): CommentLine[] {
  const paths = trackedFiles().filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
  return paths.flatMap((path) => {
    const whole = textOf(path);
    if (path.endsWith('.py')) return commentsOf(path, whole, PYTHON, /^#|^"""/);
    return SOURCE.test(path) ? commentsOf(path, whole, COMMENT, /^\/[/*]/) : [];
  });
}

function commentsOf(path: string, whole: string, tokens: RegExp, begins: RegExp): CommentLine[] {
  return Array.from(whole.matchAll(tokens))
    .filter(([token]) => begins.test(token))
    .flatMap(({ 0: token, index }) => linesOf(path, token, index, whole));
}

function linesOf(path: string, comment: string, index: number, whole: string): CommentLine[] {
  const first = whole.slice(0, index).split('\n').length;
  const lines = whole.split('\n');
  return comment.split('\n').map((text, i) => {
    const line = first + i;
    return { path, line, text, columns: Array.from(lines[line - 1]!).length };
  });
}
