/** What determinants over Z and systems over Q need, in one module: a small one of these does without the runner. */
export { determinantOverZ } from './rational-determinant.js';
export { solveOverTheRationals } from './rational-systems.js';
