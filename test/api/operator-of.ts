/** A matrix of which every product with a vector is written out: the operator of a caller's own. */
export function operatorOf(
  rows: number,
  cols: number,
  entries: readonly (readonly [number, number, number])[],
  p: number,
) {
  const multiply = (x: Uint32Array, width: number, length: number, transposed: boolean): Uint32Array => {
    const y = new Uint32Array(length * width);
    for (const [i, j, v] of entries) {
      const [to, from] = transposed ? [j, i] : [i, j];
      for (let c = 0; c < width; c++) {
        const sum = BigInt(y[to * width + c]!) + BigInt(v) * BigInt(x[from * width + c]!);
        y[to * width + c] = Number(((sum % BigInt(p)) + BigInt(p)) % BigInt(p));
      }
    }
    return y;
  };
  return {
    rows,
    cols,
    apply: (x: Uint32Array, width: number) => multiply(x, width, rows, false),
    applyTransposed: async (x: Uint32Array, width: number) => multiply(x, width, cols, true),
  };
}
