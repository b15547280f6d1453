/**
 * The Python that `python3` leads to. What has this name may be a script that looks for an interpreter, which takes
 * several times as long as the interpreter's start: it is asked once.
 */
import { spawnSync } from 'node:child_process';

const asked = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });

/** Why there is none; null where there is one. */
export const pythonMissing: string | null =
  asked.status === 0 ? null : `there is no python3: ${asked.error?.message ?? asked.stderr}`;

export const PYTHON: string = pythonMissing === null ? asked.stdout.trim() : 'python3';
