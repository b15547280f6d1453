/** A rank as every method reports it: its proved bounds and the way to them. */
export interface RankResult {
  readonly rank: number;
  readonly lowerBound: number; // proved
  readonly upperBound: number | null; // null when not proved
  /**
   * log2 of the probability that the upper bound is wrong; −Infinity when it cannot be, null without an upper bound.
   */
  readonly errorLog2: number | null;
  /** Why there is no upper bound, in words. */
  readonly reason?: string | undefined;
  readonly method: 'block-wiedemann' | 'hybrid' | 'sparse-elimination';
  readonly block: { readonly m: number; readonly n: number } | null; // null where no block Wiedemann runs
  /** The device that the run moves to; absent where it stays. */
  readonly device?: 'gpu' | undefined;
  readonly seconds: Readonly<Record<string, number>>; // by phase
  /** The choice of the method and the run's findings, a line each. */
  readonly explanation: readonly string[];
  /** What a user should know of the machine. */
  readonly warnings?: readonly string[] | undefined;
}

/** A rank that cannot be wrong. */
export function exactRank(rank: number) {
  return { rank, lowerBound: rank, upperBound: rank, errorLog2: Number.NEGATIVE_INFINITY };
}

/** The bounds of a run that ends early, as it has shown as much as its caller needs. */
export function sufficientRank(rank: number, atLeast: number) {
  return { rank, lowerBound: rank, upperBound: null, errorLog2: null, reason: sufficientReason(atLeast) };
}

/** Why a run ends early, in words. */
function sufficientReason(atLeast: number): string {
  return `a rank of at least ${atLeast} was asked for`;
}

/** The same answer with lines in front of its explanation. */
export function explain(lines: string | readonly string[], answer: RankResult): RankResult {
  return { ...answer, explanation: [lines, answer.explanation].flat() };
}
