/**
 * What few questions need beside the runner, in one module: bundlers make a file of each module that is loaded by
 * itself, and more files of what such modules share.
 */
export { certify, checkCertifiable } from './certify.js';
export { openKeptRun } from './kept-run.js';
export { findPivots, findPivotsBig } from './pivots.js';
export { planMatrix } from './planning.js';
export { answerStage } from './stage.js';
export { tuneMatrix } from './tuning.js';
