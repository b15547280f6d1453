/** The file formats read here, in the order they are tried: a new one is its file and a line of these tables. */
import type { BinaryFormat } from './binary-format.js';
import { MATRIX_MARKET } from './matrix-market.js';
import type { MatrixFormat } from './matrix-parser.js';
import { SMS } from './sms.js';

export const FORMATS: readonly MatrixFormat[] = [MATRIX_MARKET, SMS];

/** The names of binary formats, the first bytes of files that say what they are, and where they are read. */
export const BINARY_FORMATS: readonly BinaryFormat[] = [
  { name: 'npz', magic: [0x50, 0x4b, 0x03, 0x04], load: async () => (await import('./npz.js')).readNpz },
  { name: 'cado', magic: null, load: async () => (await import('./cado.js')).readCado },
  { name: 'cado-coeffs', magic: null, load: async () => (await import('./cado.js')).readCadoCoeffs },
  { name: 'gbla', magic: null, load: async () => (await import('./gbla.js')).readGbla },
];
