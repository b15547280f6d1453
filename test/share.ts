/**
 * One of `of` members of a long table, others for each `at`, so that those of `of` values of `at` share the whole; all
 * of it in `npm run slow`, which runs every file of tests that asks for this.
 */
export function share<T>(items: readonly T[], at: number, of: number): readonly T[] {
  return process.env['WHOLE_TABLES'] ? items : items.filter((_, i) => (i + at) % of === 0);
}
