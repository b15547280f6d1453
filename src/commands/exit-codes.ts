/** Which exit code an error means, and the one line that tells it behind the verb. */

import { CertificateError } from '../../algorithms/certificate/certificate-error.js';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { MethodError } from '../../algorithms/method-error.js';
import { FamilyError } from '../../data/triplets.js';
import { ModulusError } from '../../fields/primality.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { printable } from '../../kernels/errors/excerpt.js';
import { HostError } from '../../kernels/errors/host-error.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { TeamError } from '../../kernels/errors/team-error.js';
import { EntryError } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { FormatError } from '../io/format-error.js';
import { RunFolderError } from '../io/run-folder.js';
import { ScratchError } from '../io/scratch-folder.js';
import {
  BAD_DATA,
  INTERNAL,
  InterruptedError,
  NO_DEVICE,
  NO_OUTPUT_FILE,
  NO_RESOURCE,
  NO_SOLUTION,
  NoAnswerError,
  NoCertificateError,
  NoSolutionError,
  OutputFileError,
  REFUSED,
  RefusedError,
  STOPPED,
  UnansweredError,
  USAGE,
  UsageError,
  WRITE_FAILED,
  WriteError,
} from './usage-error.js';

const CODES: readonly [new (...args: never[]) => Error, number][] = [
  [UsageError, USAGE],
  [RefusedError, REFUSED],
  [NoSolutionError, NO_SOLUTION],
  [CertificateError, BAD_DATA],
  [OptionError, USAGE],
  [ModulusError, USAGE],
  [FamilyError, USAGE],
  [FormatError, BAD_DATA],
  [EntryError, BAD_DATA],
  [StructureError, BAD_DATA],
  [DeviceError, NO_DEVICE],
  [OutputFileError, NO_OUTPUT_FILE],
  [WriteError, WRITE_FAILED],
  [RunFolderError, WRITE_FAILED],
  [ScratchError, WRITE_FAILED],
  [NoCertificateError, INTERNAL],
  [NoAnswerError, INTERNAL],
  [MethodError, USAGE],
  [HostError, NO_RESOURCE],
  [MemoryError, INTERNAL],
  [TeamError, INTERNAL],
];

/** Messages may begin with the verb, which the line leaves out; those about a file begin with its name. */
export function exitCode(error: unknown, verb: string): { code: number; line: string } {
  const message = error instanceof Error ? error.message : String(error);
  // One line always: a trace or a quotation follows the first line break.
  const told = printable(message.split('\n', 1)[0]!);
  const head = `${verb}: `;
  const line = told.startsWith(head) && !(error instanceof FormatError) ? told.slice(head.length) : told;
  if (error instanceof InterruptedError || error instanceof UnansweredError) return { code: error.exitCode, line };
  if (error instanceof StoppedError) return { code: STOPPED, line: `${line}; the same command goes on` };
  const known = CODES.find(([kind]) => error instanceof kind);
  return known ? { code: known[1], line } : { code: INTERNAL, line: `internal error: ${line}` };
}
