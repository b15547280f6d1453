/** Bytes as messages say them. */

/**
 * Megabytes in words, rounded up: whole ones, and below ten two digits, so that a need does not look like the little
 * that is allowed, and what is said to be needed is enough.
 */
export function megabytes(bytes: number): string {
  const size = bytes / 2 ** 20;
  const unit = size >= 10 || size === 0 ? 1 : 10 ** (Math.floor(Math.log10(size)) - 1);
  return `${Number((Math.ceil(size / unit) * unit).toPrecision(9))}`;
}
