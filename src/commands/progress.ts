/** A progress bar with ETA on stderr, one phase after another; only where a person is watching. */
import type { ProgressEvent } from '../questions/options.js';

export interface Progress {
  show(event: ProgressEvent): void;
  clear(): void;
}

// The bar waits so long: most answers come sooner, and a flashing bar helps nobody.
const PATIENCE = 700;

export function progressBar(color: boolean): Progress {
  let bar: { update(value: number, payload: object): void; setTotal(total: number): void; stop(): void } | undefined;
  let latest: ProgressEvent | undefined;
  let phase = '';
  let over = false;
  const draw = (): void => {
    if (!bar || !latest) return;
    bar.setTotal(Math.max(1, latest.total));
    bar.update(Math.min(latest.done, latest.total), { phase: latest.phase });
  };
  const timer = setTimeout(async () => {
    const [{ default: cliProgress }, { default: colors }] = await Promise.all([
      import('cli-progress'),
      import('picocolors'),
    ]);
    const { cyan, dim } = colors.createColors(color);
    if (over) return;
    const made = new cliProgress.SingleBar(
      {
        format: `${cyan('{phase}')} {bar} {percentage}% ${dim('{value}/{total}  eta {eta_formatted}')}`,
        stream: process.stderr,
        clearOnComplete: true,
        hideCursor: true,
        etaBuffer: 50,
      },
      cliProgress.Presets.shades_classic,
    );
    made.start(1, 0, { phase: 'starting' });
    bar = made;
    draw();
  }, PATIENCE);
  timer.unref();
  return {
    show(event) {
      // A new phase has a pace of its own: its ETA must not be averaged with the last one's.
      if (bar && event.phase !== phase)
        (bar as unknown as { start(t: number, v: number, p: object): void }).start(1, 0, { phase: event.phase });
      phase = event.phase;
      latest = event;
      draw();
    },
    clear() {
      over = true;
      clearTimeout(timer);
      bar?.stop();
    },
  };
}
