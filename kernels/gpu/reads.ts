/**
 * What the host reads from a device. Reads that are asked for in one turn of the host's loop share a submission, a
 * place and a wait for it, each of which takes longer than some kilobytes do.
 *
 * A copy is recorded when it is asked for: it sees what is recorded before it, and nothing behind. A long one comes to
 * the host in slices, between which others have their turn: a device that they feed does not run dry.
 */
import { nextTurn } from '#platform';
import { DeviceError } from '../errors/device-error.js';
import { firstLine } from './device-failure.js';
import type { Flights } from './flights.js';
import type { OpenPromises } from './open-promises.js';
import { MAP_READ, StagingBuffers } from './staging-buffers.js';

const ROOM = 2 ** 19; // bytes of a place that is shared
const SHARED = 2 ** 18; // bytes of the largest read that shares one
const SLICE = 2 ** 20; // numbers that the host takes in one turn

/** What a device does for its reads. */
export interface Recorder {
  readonly name: string;
  readonly flights: Flights;
  readonly open: OpenPromises;
  /** Outside of any pass. */
  encoder(): GPUCommandEncoder;
  submit(): void;
  check(): void;
}

/** Numbers of `each` bytes from byte `at` of a place on. */
interface Part {
  readonly numbers: Uint32Array;
  readonly each: 2 | 4;
  readonly at: number;
}

/** One place, and what comes to it. */
interface Place {
  readonly staging: GPUBuffer;
  readonly parts: Part[];
  used: number; // bytes
  flight: number; // that takes the last part along
}

interface Opened {
  readonly place: Place;
  readonly landed: Promise<void>; // when the words of all parts are there
}

export class Reads {
  private readonly recorder: Recorder;
  private readonly buffers: StagingBuffers;
  private shared: Opened | null = null; // of this turn

  constructor(device: GPUDevice, recorder: Recorder) {
    this.recorder = recorder;
    this.buffers = new StagingBuffers(device);
  }

  /** The numbers of `each` bytes there. */
  async read(from: GPUBuffer, offset: number, bytes: number, each: 2 | 4): Promise<Uint32Array> {
    if (bytes === 0) return new Uint32Array(0);
    this.recorder.check();
    const { place, landed } = this.placeFor(bytes);
    const numbers = new Uint32Array(bytes / each);
    this.recorder.encoder().copyBufferToBuffer(from, offset, place.staging, place.used, bytes);
    place.parts.push({ numbers, each, at: place.used });
    place.used += bytes;
    place.flight = this.recorder.flights.next;
    await landed;
    return numbers;
  }

  private placeFor(bytes: number): Opened {
    if (bytes > SHARED) return this.open(bytes);
    if (this.shared && this.shared.place.used + bytes > ROOM) {
      this.recorder.submit(); // the device works while more is asked for, and while words are taken from a full place
      this.shared = null;
    }
    this.shared ??= this.open(ROOM);
    return this.shared;
  }

  private open(bytes: number): Opened {
    const place: Place = { staging: this.buffers.take(bytes), parts: [], used: 0, flight: 0 };
    return { place, landed: this.recorder.open.watch(this.land(place)) };
  }

  /** Behind this turn: submits what is recorded, and hands out the parts of a place once they are there. */
  private async land(place: Place): Promise<void> {
    const { recorder } = this;
    const { staging, parts } = place;
    await null;
    if (this.shared?.place === place) this.shared = null;
    try {
      recorder.submit();
      recorder.check(); // a device that was disposed of is asked for nothing
      await staging.mapAsync(MAP_READ, 0, place.used);
      const mapped = staging.getMappedRange(0, place.used);
      for (const part of parts) await take(part, mapped);
      staging.unmap();
      recorder.check();
      this.buffers.give(staging);
    } catch (error) {
      staging.destroy();
      recorder.check();
      throw new DeviceError(`device gpu: reading from ${recorder.name}: ${firstLine(String(error))}`);
    } finally {
      recorder.flights.land(place.flight);
    }
  }
}

async function take({ numbers, each, at }: Part, mapped: ArrayBuffer): Promise<void> {
  for (let first = 0; first < numbers.length; first += SLICE) {
    if (first > 0) await nextTurn();
    const count = Math.min(SLICE, numbers.length - first);
    const from = at + each * first;
    numbers.set(each === 2 ? new Uint16Array(mapped, from, count) : new Uint32Array(mapped, from, count), first);
  }
}
