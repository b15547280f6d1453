/**
 * The part of JSON (RFC 8259) in which a certificate is written, read so that nobody can read it in another way.
 *
 *   value   object | list | string | number | null         object   distinct keys         number   digits, no leading 0
 *   string  printable ASCII without quotation marks and backslashes
 *
 * JSON.parse keeps the last of two equal keys and takes 1e0 for 1, other programs do otherwise; here both are refused.
 * An object or a list has at most MOST_MEMBERS members and is at most DEEPEST deep, so that memory follows the text's
 * length.
 */

import { excerpt } from '../../kernels/errors/excerpt.js';
import { CertificateError } from './certificate-error.js';

export type Json = null | number | string | readonly Json[] | { readonly [key: string]: Json };

const MOST_MEMBERS = 64;
const DEEPEST = 4;

const SPACE = /[ \t\n\r]*/y;
const STRING = /[^"\\]*/y;
const BEYOND = /[^\x20-\x7e]/;
const NUMBER = /(?:0|[1-9][0-9]{0,15})(?![0-9.eE+-])/y;

/** Throws CertificateError, naming the place in characters from 1. */
export function parseStrictJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): Json {
    this.space();
    const next = this.text[this.at];
    if (depth > DEEPEST) throw this.refusal(`at most ${DEEPEST} levels`);
    if (next === '{') return this.object(depth);
    if (next === '[') return this.list(depth);
    if (next === '"') return this.string();
    if (this.text.startsWith('null', this.at)) {
      this.at += 4;
      return null;
    }
    const digits = this.match(NUMBER);
    if (digits === '') throw this.refusal('an object, a list, a string, null or a number of plain digits');
    return Number(digits);
  }

  end(): void {
    this.space();
    if (this.at < this.text.length) throw this.refusal('the end');
  }

  private object(depth: number): Json {
    const members = new Map<string, Json>();
    this.members('}', () => {
      if (this.text[this.at] !== '"') throw this.refusal('a key');
      const from = this.at;
      const key = this.string();
      if (members.has(key)) {
        this.at = from;
        throw this.refusal('a key that was not there before');
      }
      this.space();
      this.mark(':');
      members.set(key, this.value(depth + 1));
    });
    return Object.fromEntries(members);
  }

  private list(depth: number): Json {
    const members: Json[] = [];
    this.members(']', () => members.push(this.value(depth + 1)));
    return members;
  }

  /** The members between a bracket and `close`, with commas. */
  private members(close: string, read: () => void): void {
    this.at++;
    this.space();
    if (this.text[this.at] === close) {
      this.at++;
      return;
    }
    for (let count = 1; ; count++) {
      if (count > MOST_MEMBERS) throw this.refusal(`at most ${MOST_MEMBERS} members`);
      this.space();
      read();
      this.space();
      if (this.text[this.at] === close) break;
      this.mark(',');
    }
    this.at++;
  }

  private string(): string {
    this.at++;
    const value = this.match(STRING);
    const beyond = value.search(BEYOND);
    if (beyond >= 0) {
      this.at += beyond - value.length;
      throw this.refusal('printable ASCII');
    }
    this.mark('"');
    return value;
  }

  private mark(character: string): void {
    if (this.text[this.at] !== character) throw this.refusal(`'${character}'`);
    this.at++;
  }

  private space(): void {
    this.match(SPACE);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }

  private refusal(what: string): CertificateError {
    const got = this.at < this.text.length ? excerpt(this.text.slice(this.at, this.at + 80)) : 'the end';
    return new CertificateError(`certificate: expected JSON with ${what} at character ${this.at + 1}, got ${got}`);
  }
}
