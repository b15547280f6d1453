/**
 * What a page's main thread does while some work goes on, as Chromium sees it: frames by requestAnimationFrame, and
 * tasks by the browser's own trace, each with the time that passed and the time of a core that it took.
 *
 * The second is what the page answers for: a thread that waits for a core, beside others, takes none.
 */

const [BEGIN, END] = ['main-thread-begin', 'main-thread-end'];

/** Milliseconds: the longest gap between two frames, and the longest task by passed time and by time of a core. */
export async function watchMainThread(page, work) {
  const browser = await page.context().browser().newBrowserCDPSession();
  const events = [];
  browser.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const traceConfig = { includedCategories: ['toplevel', 'blink.user_timing'], excludedCategories: ['*'] };
  await browser.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await page.evaluate((name) => {
    globalThis.gaps = [];
    let last = performance.now();
    const note = () => {
      const now = performance.now();
      globalThis.gaps?.push(now - last);
      last = now;
      if (globalThis.gaps) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    performance.mark(name);
  }, BEGIN);
  await work();
  const gaps = await page.evaluate((name) => {
    performance.mark(name);
    const { gaps } = globalThis;
    globalThis.gaps = undefined;
    return gaps;
  }, END);
  const complete = new Promise((resolve) => browser.once('Tracing.tracingComplete', resolve));
  await browser.send('Tracing.end');
  await complete;
  await browser.detach();
  return { gapMs: Math.max(...gaps), ...longestTasks(events) };
}

/** A task is a complete event of the trace with its durations in microseconds, `tdur` that of its thread's clock. */
function longestTasks(events) {
  const [begin, end] = [BEGIN, END].map((name) => events.find((event) => event.name === name));
  const tasks = events.filter(
    ({ pid, tid, ph, name, ts }) =>
      pid === begin.pid && tid === begin.tid && ph === 'X' && name.endsWith('RunTask') && ts > begin.ts && ts < end.ts,
  );
  const longest = (key) => Math.max(...tasks.map((task) => task[key])) / 1000;
  return { taskMs: longest('dur'), taskCoreMs: longest('tdur') };
}
