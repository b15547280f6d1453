/** What a plan says of a number of devices. */
import type { Phase } from '../block-wiedemann/phase.js';

export interface DevicePlan {
  readonly devices: number;
  readonly block: readonly [m: number, n: number];
  readonly blocks: number; // of the sequence
  /** Until the answer, by phase and in all; what a process of its own sets up again counts again. */
  readonly seconds: Readonly<Record<Phase | 'total', number>>;
  /** Seconds of each process of a run in parts; null on one device. */
  readonly stages: Readonly<Record<'part' | 'generator' | 'verify', number>> | null;
  readonly deviceHours: number;
  readonly bytes: {
    readonly host: number; // of the largest process
    readonly part: number | null; // of one that makes a part; null on one device
    readonly gpu: number | null; // of a device: matrix and vectors
    readonly disk: number; // of the folder of a kept run
    readonly network: number; // read and written by other machines than the one that has the folder
  };
  /** What the times rest on, a line each. */
  readonly grounds: readonly string[];
}
