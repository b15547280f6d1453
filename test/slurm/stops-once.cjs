/**
 * Loaded into tasks of an array: those whose numbers STOPS_ONCE has stop, by SIGSTOP, once vectors of their parts are
 * kept. Whoever ends them so ends them in the middle, however busy the machine is; queued again they do not stop, nor
 * does another job that makes the part once more.
 */
const { existsSync, promises } = require('node:fs');

const { SLURM_ARRAY_TASK_ID = '', SLURM_RESTART_COUNT = '0', STOPS_ONCE = 'none' } = process.env;
const { rename } = promises;

const isFirst = SLURM_RESTART_COUNT === '0' && !existsSync(`again-${SLURM_ARRAY_TASK_ID}`);

if (STOPS_ONCE.split(',').includes(SLURM_ARRAY_TASK_ID) && isFirst)
  promises.rename = async (from, to) => {
    await rename(from, to);
    if (!to.includes('-vectors-')) return;
    promises.rename = rename;
    process.kill(process.pid, 'SIGSTOP');
  };
