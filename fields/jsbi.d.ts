/**
 * jsbi's ES module by its path: by its name a page gets the UMD build, which has no export unless a bundler makes one.
 * fields/integer.ts says what it takes of it.
 */
declare module 'jsbi/dist/jsbi.mjs' {
  const JSBI: unknown;
  export default JSBI;
}
