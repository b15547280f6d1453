/** Errors between threads keep their class, and a trace where they are bugs alone. */
import { expect, test } from 'vitest';
import { LostSequenceError } from '../../algorithms/block-wiedemann/check-errors.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { EngineError } from '../../src/errors.js';
import { errorFromMessage, errorToMessage } from '../../src/questions/error-transport.js';

const there = (error: Error): Error => errorFromMessage(structuredClone(errorToMessage(error)));

test('a sequence that memory has lost is told in a line, as by a system whose blocks were joined wrong', () => {
  const lost = new LostSequenceError();
  expect(errorToMessage(lost).fields).toEqual({});
  expect(there(lost)).toBeInstanceOf(EngineError);
  expect(there(lost).message).toBe(lost.message);
});

test('an error that is known keeps its class, and one that is not says its name and where it was', () => {
  expect(there(new MemoryError('no room'))).toBeInstanceOf(MemoryError);
  const bug = there(new RangeError('beyond'));
  expect([bug.constructor, bug.message]).toEqual([EngineError, 'RangeError: beyond']);
  expect(bug.stack).toContain('error-transport.test.ts');
});
