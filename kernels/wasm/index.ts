/** Everything the kernels module exports. A kernel is `name(thread, threads, args)`: it does thread's share of the work. */
export { awaitCommand, arrive, startCommand, awaitArrivals } from './team';
export { polyDirect, polyUnwrap, polyAdd } from './poly-direct';
export { polyBasis } from './poly-basis';
export { determinants } from './determinant';
export { spmmNarrow } from './spmm-narrow';
export { spmmWide } from './spmm-wide';
export { pairsNarrow } from './narrow';
export { projectNarrow, combineNarrow, scaleNarrow } from './dense-narrow';
export { projectWide, combineWide, scaleWide } from './dense-wide';
export { sumParts } from './sum-parts';
export { polyForward, polyInverse } from './poly-transform';
export { polySpread, polyFold, polyAddByTables } from './poly-tables';
export { polyPointwise } from './poly-pointwise';
export { packRowsNarrow, packColumnsNarrow, productNarrow } from './dense-product-narrow';
export { panelNarrow } from './pluq-narrow';
export { invertTriangle } from './pluq-panel';
export { packRowsWide, packColumnsWide, productWide } from './dense-product-wide';
export { panelWide } from './pluq-wide';
