/** What is asked of block Wiedemann for a rank, a minimal polynomial or a determinant mod a prime below 2^31. */
export interface CheckedOptions {
  /**
   * Whether block Wiedemann checks its sequence and its order bases for errors of memory; a kept run always does, and a
   * rank, unless this is false. Of an operator it takes transposed products.
   */
  readonly selfChecks?: boolean | undefined;
}
