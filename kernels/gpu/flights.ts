/** Submissions that the device is at work on, the oldest first. */

const IN_FLIGHT = 4; // submissions that the host may be ahead

export class Flights {
  private readonly flights: Promise<void>[] = [];

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
    return this.flights.length > IN_FLIGHT ? this.flights.shift() : undefined;
  }

  get last(): Promise<void> | undefined {
    return this.flights.at(-1);
  }

  /** This one has ended, and all before it. */
  land(flight: Promise<void> | undefined): void {
    if (flight) void this.flights.splice(0, this.flights.indexOf(flight) + 1);
  }
}
