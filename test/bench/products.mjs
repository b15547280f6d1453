/** Products whose answers are known: large matrices for them, and sums made on the host. */

/** y = A·x in 300 rows, by sums of big integers. */
export function checkRows(name, a, p, width, x, y) {
  for (let sample = 0; sample < 300; sample++) {
    const i = Math.floor((sample * a.rows) / 300);
    for (let c = 0; c < width; c++) {
      let sum = 0n;
      for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++)
        sum += BigInt(a.values[k]) * BigInt(x[a.colIdx[k] * width + c]);
      if (Number(sum % BigInt(p)) !== y[i * width + c]) throw new Error(`${name}: wrong product in row ${i}`);
    }
  }
}

/** About nnz entries, straight into compressed rows: distinct uniform columns, ±1 with probability `units`. */
export function randomRows(rows, cols, nnz, p, units) {
  let state = 2463534242; // Marsaglia 2003, xorshift
  const word = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const mean = nnz / rows;
  const rowPtr = new Uint32Array(rows + 1);
  const colIdx = new Uint32Array(Math.ceil(nnz * 1.02) + 64);
  const values = new Uint32Array(colIdx.length);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    const length = Math.max(1, Math.floor(mean * (0.5 + word() / 2 ** 32) + word() / 2 ** 32));
    const row = colIdx.subarray(at, at + length);
    for (let t = 0; t < length; t++) row[t] = word() % cols;
    row.sort();
    const begin = at;
    for (const j of row) if (at === begin || colIdx[at - 1] !== j) colIdx[at++] = j;
    for (let k = begin; k < at; k++) {
      const kind = word() / 2 ** 32;
      values[k] = kind < units / 2 ? 1 : kind < units ? p - 1 : 2 + (word() % (p - 3));
    }
    rowPtr[i + 1] = at;
  }
  return { rows, cols, rowPtr, colIdx: colIdx.subarray(0, at), values: values.subarray(0, at) };
}
