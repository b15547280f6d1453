/** The file formats read here, in the order they are tried: a new one is its file and a line of this table. */
import { MATRIX_MARKET } from './matrix-market.js';
import type { MatrixFormat } from './matrix-parser.js';
import { SMS } from './sms.js';

export const FORMATS: readonly MatrixFormat[] = [MATRIX_MARKET, SMS];
