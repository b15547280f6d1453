/**
 * A kernel's arguments by the names of its layout (`*-layout.ts`: byte offsets that host and kernel both read), so that
 * their order is written once.
 */
export type Argument = readonly [offset: number, word: number];

export function argumentList(...given: readonly Argument[]): number[] {
  const words = new Array<number>(1 + Math.max(...given.map(([offset]) => offset >> 2))).fill(0);
  for (const [offset, word] of given) words[offset >> 2] = word;
  return words;
}
