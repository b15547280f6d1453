/**
 * Standard output, written as a whole or with an error: Node's own stream takes a disk that fills up half-way for the
 * end.
 */
import { fstatSync, writeFileSync } from 'node:fs';
import { whatFailed } from './system-error.js';
import { WriteError } from './usage-error.js';

const STDOUT = 1;

/**
 * Writes all of `data`; WriteError where there is no room for it. A pipe or a device tells of trouble by an event of
 * process.stdout, which ends the program.
 */
export async function writeOut(data: string | Uint8Array): Promise<void> {
  if (isFile()) {
    try {
      writeFileSync(STDOUT, data);
    } catch (error) {
      throw new WriteError(`standard output: ${whatFailed(error)}`);
    }
  } else {
    await new Promise<void>((resolve) => {
      process.stdout.write(data, (error) => {
        if (!error) resolve(); // an error is told, and the program ended, by the stream's own event
      });
    });
  }
}

function isFile(): boolean {
  try {
    return fstatSync(STDOUT).isFile();
  } catch {
    return false; // it is closed
  }
}
