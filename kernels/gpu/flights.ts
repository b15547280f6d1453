/** Submissions that the device is at work on, the oldest first, numbered from 0 on. */

const IN_FLIGHT = 4; // submissions that the host may be ahead

export class Flights {
  private readonly flights: Promise<void>[] = [];
  private gone = 0; // those before flights[0]

  add(done: Promise<unknown>): void {
    this.flights.push(
      done.then(
        () => undefined,
        () => undefined, // a lost device says so elsewhere
      ),
    );
  }

  /** The end of the oldest, if the host is too far ahead. */
  landOldest(): Promise<void> | undefined {
    if (this.flights.length <= IN_FLIGHT) return undefined;
    this.gone++;
    return this.flights.shift();
  }

  /** The number of the one that comes next. */
  get next(): number {
    return this.gone + this.flights.length;
  }

  /** This one has ended, and all before it. */
  land(flight: number): void {
    if (flight >= this.gone) this.gone += this.flights.splice(0, flight + 1 - this.gone).length;
  }
}
