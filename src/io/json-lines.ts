/**
 * Lines of a JSON text (RFC 8259), for messages about it: where its members begin, and where it stops being JSON.
 *
 * JSON.parse says whether a text is JSON, but not the line of a fault in every engine, nor that of a member.
 */

export interface JsonLines {
  /** Lines from 1, by paths such as `.steps[2].nnz`, and '' for the whole. */
  readonly members: ReadonlyMap<string, number>;
  /** The line where reading ended: of what is wrong, or of the end. */
  readonly last: number;
}

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const OTHER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;

/** Levels that are read. */
const DEEPEST = 100;

export function jsonLines(text: string): JsonLines {
  const reader = new Reader(text);
  if (reader.value('', 0)) reader.space();
  return { members: reader.members, last: reader.line };
}

class Reader {
  readonly members = new Map<string, number>();
  line = 1;
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether there is a value, which then has been read. */
  value(path: string, depth: number): boolean {
    this.space();
    this.members.set(path, this.line);
    if (depth > DEEPEST) return false;
    if (this.mark('[')) return this.rest(']', (i) => this.value(`${path}[${i}]`, depth + 1));
    if (this.mark('{')) {
      return this.rest('}', () => {
        this.space();
        const key = this.take(STRING);
        return key !== '' && this.mark(':') && this.value(`${path}.${key.slice(1, -1)}`, depth + 1);
      });
    }
    return this.take(STRING) !== '' || this.take(OTHER) !== '';
  }

  space(): void {
    this.line += this.take(SPACE).split('\n').length - 1;
  }

  /** Members with commas between them, up to a bracket. */
  private rest(close: string, member: (i: number) => boolean): boolean {
    if (this.mark(close)) return true;
    for (let i = 0; member(i); i++) {
      if (this.mark(close)) return true;
      if (!this.mark(',')) return false;
    }
    return false;
  }

  private mark(character: string): boolean {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }
}
