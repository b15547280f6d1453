/**
 * Closes the run with one plain line, `N passed, N failed, N skipped`, that CI can read; before it, where tests were
 * skipped for want of a browser or a GPU, one line that says what would enable them.
 */
export default class CountReporter {
  onTestRunEnd(modules) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const wanting = { browser: 0, GPU: 0 };
    for (const module of modules) {
      // A file that could not be loaded ran no test: it counts as one failure.
      if (module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state]++;
        const need = state === 'skipped' ? wantOf(module.moduleId, test.fullName) : null;
        if (need !== null) wanting[need]++;
      }
    }
    const wants = Object.entries(wanting).filter(([, count]) => count > 0);
    if (wants.length > 0) {
      const tests = wants.map(([need, count]) => `${count} ${need} tests`).join(' and ');
      console.log(
        `${tests} were skipped: \`apt install chromium libvulkan1\` enables them (a browser, and a GPU in software)`,
      );
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}

/** What a skipped test lacks, by its file and name; null where it is something else, which its own message says. */
function wantOf(file, name) {
  if (/\/test\/(browser\/|bundlers\/pages)/.test(file)) return 'browser';
  return /gpu/i.test(file.replace(/^.*\/test\//, '')) || /gpu/i.test(name) ? 'GPU' : null;
}
