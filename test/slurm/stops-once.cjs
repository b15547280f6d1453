/**
 * Loaded into tasks of an array: those whose numbers STOPS_ONCE has stop, by SIGSTOP, once vectors of their parts are
 * kept. Whoever ends them so ends them in the middle, however busy the machine is; queued again they do not stop.
 */
const { promises } = require('node:fs');

const { SLURM_ARRAY_TASK_ID = '', SLURM_RESTART_COUNT = '0', STOPS_ONCE = 'none' } = process.env;
const { rename } = promises;

if (STOPS_ONCE.split(',').includes(SLURM_ARRAY_TASK_ID) && SLURM_RESTART_COUNT === '0')
  promises.rename = async (from, to) => {
    await rename(from, to);
    if (!to.includes('-vectors-')) return;
    promises.rename = rename;
    process.kill(process.pid, 'SIGSTOP');
  };
