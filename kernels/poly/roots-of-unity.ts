/**
 * Roots of unity modulo small primes, and constants with their quotients, for the tables of the transforms.
 *
 * Residues are below 2^26, so that products of two are exact doubles.
 */

function power(base: number, exponent: number, q: number): number {
  let result = 1;
  let square = base % q;
  for (let e = exponent; e > 0; e = Math.floor(e / 2)) {
    if (e % 2 === 1) result = (result * square) % q;
    square = (square * square) % q;
  }
  return result;
}

export function inverse(a: number, q: number): number {
  return power(a, q - 2, q);
}

/** A primitive root of unity of order 2^k ≥ 2; squares of the one for 2^(k+1), so that all tables agree. */
function rootOfOrder(order: number, q: number): number {
  // The smallest non-residue has a power of the full 2-power order.
  let x = 2;
  while (power(x, (q - 1) / 2, q) === 1) x++;
  return power(x, (q - 1) / order, q);
}

/** A primitive third root ω of unity, q ≡ 1 mod 3. */
export function cubeRoot(q: number): number {
  let x = 2;
  while (power(x, (q - 1) / 3, q) === 1) x++;
  return power(x, (q - 1) / 3, q);
}

/** a in −(m−1)/2 … m/2. */
export function balance(a: number, m: number): number {
  return a > m / 2 ? a - m : a;
}

/**
 * Tables of c, ω·c, ω²·c, c^-1, ω^-1·c^-1, ω^-2·c^-1 where c runs through the powers 0 … size − 1 of a root of unity of
 * order 2·size, their exponents in bit-reversed order: the table of a shorter transform is a prefix.
 */
export function rootTables(size: number, q: number): Uint32Array[] {
  const root = rootOfOrder(size * 2, q);
  const [powers, inverses] = [reversePowers(root, size, q), reversePowers(inverse(root, q), size, q)];
  const omega = cubeRoot(q);
  const square = (omega * omega) % q;
  const times = (table: Uint32Array, factor: number): Uint32Array => table.map((c) => (c * factor) % q);
  return [
    ...[powers, times(powers, omega), times(powers, square)],
    ...[inverses, times(inverses, square), times(inverses, omega)],
  ];
}

/** Place 2^b + j, j < 2^b, has bit b beside those of j: its exponent is that of j and count / 2^(b+1) more. */
function reversePowers(root: number, count: number, q: number): Uint32Array {
  const powers = new Uint32Array(count).fill(1, 0, 1);
  for (let half = 1; half < count; half *= 2) multiples(powers, half, power(root, count / (2 * half), q), q);
  return powers;
}

/** Places half … 2·half − 1 ← those before them, times a factor. */
function multiples(powers: Uint32Array, half: number, factor: number, q: number): void {
  for (let j = 0; j < half; j++) powers[half + j] = (powers[j] * factor) % q;
}
