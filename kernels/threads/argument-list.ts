/**
 * A kernel's arguments by the names of its layout (`*-layout.ts`: byte offsets that host and kernel both read), so that
 * their order is written once.
 */
export type Argument = readonly [offset: number, word: number];

export function argumentList(...given: readonly Argument[]): number[] {
  let end = 0;
  for (const [offset] of given) end = Math.max(end, (offset >> 2) + 1);
  const words = new Array<number>(end).fill(0);
  for (const [offset, word] of given) words[offset >> 2] = word;
  return words;
}

/** Some words of a list that stands; the others keep their values. */
export function setArguments(words: Int32Array, ...given: readonly Argument[]): void {
  for (const [offset, word] of given) words[offset >> 2] = word;
}
