/**
 * A process that ends itself in the middle of its writes to a folder, at a moment that does not depend on the machine.
 *
 * A module that is loaded before the program counts what it or its first thread does to files of a run, and sends the
 * signal at the operation wanted: half of a file's beginning written, a file not yet brought to the disk, not yet
 * renamed, renamed. A worker of a queue has a thread for each stage: a signal that it survives comes once.
 * Its clock stands still, so that a kept run makes a checkpoint after every batch of steps; or each look at it finds so
 * many milliseconds gone, so that an order basis is kept before every base case, too; and who writes waits for the
 * signal. One that stops the process takes up the first wait, and whatever is sent to it then is heard in the second.
 */

/** The options of Node. `at`: which operation, from 1 on, of those whose file's name has `name`. */
export function endingAt(signal: NodeJS.Signals, at: number, name = '', tick = 0): string[] {
  const text = `
    import fs from 'node:fs';
    import { threadId } from 'node:worker_threads';
    let seen = 0;
    const count = (path) => {
      const name = String(path).split('/').at(-1);
      const own = /^(\\.writing-|attempt-|outcome-|manifest|progress|answer|way)/.test(name);
      if (threadId > 1 || !own || !name.includes('${name}') || ++seen !== ${at}) return;
      process.kill(process.pid, '${signal}');
      const waits = ${tick > 0 ? (signal === 'SIGSTOP' ? 2 : 1) : 0};
      for (let i = 0; i < waits; i++) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    };
    let now = 0;
    performance.now = () => (now += ${tick});
    const { open, rename } = fs.promises;
    fs.promises.open = async (path, ...more) => {
      const file = await open(path, ...more);
      const { write, sync } = file;
      let isBegun = false;
      file.write = async (bytes, at, length) => {
        if (isBegun) return write.call(file, bytes, at, length);
        isBegun = true;
        count(path);
        const half = await write.call(file, bytes, at, length >> 1); // whoever writes asks for the rest
        count(path);
        return half;
      };
      file.sync = async () => {
        count(path);
        await sync.call(file);
      };
      return file;
    };
    fs.promises.rename = async (from, to) => {
      count(from);
      await rename(from, to);
      count(to);
    };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(text)}`];
}
