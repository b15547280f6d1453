/** A matrix mod p made ready for the methods that begin with structural pivots, without arithmetic. */
import { type ResidueMatrix, transposed } from '../../kernels/residue-matrix.js';
import { withoutEmptyLines } from '../block-wiedemann/empty-lines.js';
import { type StructuralPivots, structuralPivots } from './structural-pivots.js';

export interface Reduced extends StructuralPivots {
  readonly a: ResidueMatrix; // without empty rows and columns
  readonly at: ResidueMatrix;
  readonly seconds: number;
}

export function reduced(matrix: ResidueMatrix): Reduced {
  const start = performance.now();
  const a = withoutEmptyLines(matrix);
  const at = transposed(a);
  const found = structuralPivots(a, at);
  return { a, at, ...found, seconds: (performance.now() - start) / 1000 };
}
