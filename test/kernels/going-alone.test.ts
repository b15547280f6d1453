import { expect, test, vi } from 'vitest';
import { GoingAlone } from '../../kernels/going-alone.js';

const FOR = 1e9; // milliseconds: what is asked for is not over before it is looked at

/** How long the caller is to go alone from now on, in milliseconds. */
function rest(going: GoingAlone): number {
  return Math.max(0, going.until - performance.now());
}

test('steps that have starved go on as was faster lately', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const going = new GoingAlone(2);
    const together = (took: number, commands: number, starved: boolean): void => {
      going.repeated({ of: 7, alone: false, took, commands, starved });
    };
    const alone = (took: number, commands: number): void => {
      going.repeated({ of: 7, alone: true, took, commands, starved: false });
    };
    together(10, 200, false);
    expect(rest(going)).toBe(0);
    // Not known yet what one thread takes: it is tried, shortly.
    together(4, 10, true);
    const trial = rest(going);
    expect(trial).toBeGreaterThan(0);
    vi.advanceTimersByTime(FOR);
    // One takes 0.1 ms a command; all, in spite of a lost tick, 0.07.
    alone(2, 20);
    together(14, 200, true);
    expect(rest(going)).toBe(0);
    // All take 0.4: one goes on, and for longer each time.
    let last = 0;
    for (let i = 0; i < 3; i++) {
      together(40, 100, true);
      expect(rest(going)).toBeGreaterThan(last);
      last = rest(going);
      vi.advanceTimersByTime(FOR);
    }
    // What was long ago is forgotten: now all take 0.05.
    for (let i = 0; i < 20; i++) together(20, 400, false);
    together(5, 50, true);
    expect(rest(going)).toBe(0);
    for (let i = 0; i < 30; i++) {
      together(40, 10, true);
      expect(rest(going)).toBeLessThanOrEqual(64);
      vi.advanceTimersByTime(FOR);
    }
    // Of other steps nothing is known.
    going.repeated({ of: 8, alone: false, took: 14, commands: 200, starved: true });
    expect(rest(going)).toBe(trial);
  } finally {
    vi.useRealTimers();
  }
});
