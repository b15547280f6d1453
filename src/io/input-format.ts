/** What a caller may call the format of an input. */
import { describe } from '../../kernels/errors/describe.js';
import { OptionError } from '../errors.js';

/** 'auto' goes by the first bytes and the first line. */
export type InputFormat = 'auto' | 'sms' | 'matrixmarket' | 'npz' | 'cado' | 'cado-coeffs' | 'gbla';

export const INPUT_FORMATS: readonly InputFormat[] = [
  ...(['auto', 'sms', 'matrixmarket', 'npz'] as const),
  ...(['cado', 'cado-coeffs', 'gbla'] as const), // known by name alone
];

/** OptionError, in the name of `who`, for what is none of them. */
export function inputFormatOf(who: string, format: unknown = 'auto'): InputFormat {
  if (INPUT_FORMATS.includes(format as InputFormat)) return format as InputFormat;
  throw new OptionError(`${who}: expected ${INPUT_FORMATS.join(', ')}, got ${describe(format)}`);
}
