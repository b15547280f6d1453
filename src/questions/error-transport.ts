/**
 * Errors between threads: the one list of those that keep their class.
 *
 * An error travels as its name and its line of text; the receiving side makes it an instance of its own class again,
 * so that `instanceof` works wherever the run was.
 */
import { LostSequenceError } from '../../algorithms/block-wiedemann/check-errors.js';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { MethodError } from '../../algorithms/method-error.js';
import { FieldError } from '../../fields/field.js';
import { ModulusError } from '../../fields/primality.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { HostError } from '../../kernels/errors/host-error.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { TeamError } from '../../kernels/errors/team-error.js';
import { EntryError } from '../../kernels/sparse/sparse-matrix.js';
import { EngineError, OptionError } from '../errors.js';
import { FormatError } from '../io/format-error.js';
import { RunFolderError } from '../io/run-folder.js';
import { ScratchError } from '../io/scratch-folder.js';

export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
  /** Own strings, numbers and lists of them, such as FormatError's file and line. */
  readonly fields: Readonly<Record<string, unknown>>;
}

// Keyed by text: a bundler may rename the classes themselves.
const CLASSES: Readonly<Record<string, { readonly prototype: Error }>> = {
  OptionError,
  DeviceError,
  EngineError,
  FormatError,
  EntryError,
  StructureError,
  ModulusError,
  FieldError,
  HostError,
  MemoryError,
  TeamError,
  MethodError,
  StoppedError,
  RunFolderError,
  ScratchError,
};

export function errorToMessage(error: unknown): ErrorMessage {
  if (!(error instanceof Error)) return { name: 'EngineError', message: String(error), fields: {} };
  if (error instanceof LostSequenceError) return { name: 'EngineError', message: error.message, fields: {} }; // no bug
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(error)) {
    if (key !== 'name' && [value].flat().every(isPlain)) fields[key] = value;
  }
  // Any other error is a bug: its trace is worth keeping.
  if (!(error.name in CLASSES) && error.stack) fields['stack'] = error.stack;
  return { name: error.name, message: error.message, fields };
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

export function errorFromMessage({ name, message, fields }: ErrorMessage): Error {
  const known = Object.hasOwn(CLASSES, name);
  const error = new Error(known ? message : `${name}: ${message}`);
  Object.setPrototypeOf(error, (known ? CLASSES[name]! : EngineError).prototype);
  Object.defineProperty(error, 'name', { value: known ? name : 'EngineError', configurable: true });
  return Object.assign(error, fields);
}
