/**
 * PG(2, q): points against lines of the projective plane over F_q, q prime; 1 where the point lies on the line.
 *
 * Points and lines are vectors (x, y, z) over F_q whose first nonzero coordinate is 1, lexicographic; a point lies on a
 * line when their scalar product is 0. With A·Aᵀ = q·I + J the rank falls where p divides q or q + 1 (known-ranks.ts).
 */
import { FamilyError, type Triplets, TripletWriter } from '../triplets.js';

export function projectivePlane(q: number): Triplets {
  for (let d = 2; d * d <= q; d++) {
    if (q % d === 0) throw new FamilyError(`pg: expected a prime q, got ${q}, a multiple of ${d}`);
  }
  const size = q * q + q + 1;
  const out = new TripletWriter(`PG(2,${q})`, size, size, size * (q + 1));
  const inverse = Int32Array.from({ length: q }, () => 0);
  for (let x = 1; x < q; x++) for (let y = 1; y < q; y++) if ((x * y) % q === 1) inverse[x] = y;
  // Lexicographic numbers: (0,0,1) is 0, (0,1,z) is 1 + z, (1,y,z) is 1 + q + q·y + z.
  const lines = new Int32Array(q + 1);
  for (let point = 0; point < size; point++) {
    const [a, b, c] =
      point === 0
        ? [0, 0, 1]
        : point <= q
          ? [0, 1, point - 1]
          : [1, Math.floor((point - q - 1) / q), (point - q - 1) % q];
    let count = 0;
    // Lines (0,0,1), (0,1,z) and (1,y,z) through (a,b,c): c = 0; b + c·z = 0; a + b·y + c·z = 0.
    if (c === 0) {
      lines[count++] = 0;
      if (b === 0) for (let z = 0; z < q; z++) lines[count++] = 1 + z;
      else {
        const y = (((q - a) % q) * inverse[b]) % q;
        for (let z = 0; z < q; z++) lines[count++] = 1 + q + q * y + z;
      }
    } else {
      lines[count++] = 1 + ((((q - b) % q) * inverse[c]) % q);
      for (let y = 0; y < q; y++)
        lines[count++] = 1 + q + q * y + ((((2 * q - a - ((b * y) % q)) % q) * inverse[c]) % q);
    }
    for (let k = 0; k < count; k++) out.push(point, lines[k], 1);
  }
  return out.finish();
}
