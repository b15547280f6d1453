/** What pivots alone do not answer, in one module: the runner, and what is small beside it and needs its modules. */
export { answerBig } from './big.js';
export { answerBlockSystems } from './block-systems.js';
export { Runner } from './runner.js';
