/** What writing to a store takes, by which it is seen whether an array is worth keeping. */

/** What a store takes in a second at least, with the digest. */
const BYTES_A_SECOND = 2 ** 27;

export function secondsToWrite(bytes: number): number {
  return bytes / BYTES_A_SECOND;
}
