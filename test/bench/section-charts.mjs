/** What the charts of benches show of their lines, as chart.mjs takes it. */

const count = (number, what) => `${number} ${number === 1 ? what : `${what}s`}`;

export function spmmCharts(lines) {
  const bars = lines.flatMap(({ matrix, mod, width, threads, gops, peerGops }) => {
    const group = `${matrix} mod ${mod}, ${count(width, 'vector')}, ${count(threads, 'thread')}`;
    const peer = { group, series: 'FFLAS-FFPACK', value: peerGops };
    return [{ group, series: 'wiedemann', value: gops }, ...(typeof peerGops === 'number' ? [peer] : [])];
  });
  return [
    { name: 'rates', kind: 'bars', title: 'A sparse matrix times a block of vectors', value: 'rate in Gop/s', bars },
  ];
}

export function residentCharts(lines) {
  const matrices = [...new Set(lines.map(({ matrix }) => matrix))];
  return matrices.map((name) => {
    const own = lines.filter(({ matrix }) => matrix === name);
    const [{ mod, rows, nnz }] = own;
    const points = own.flatMap(({ width, n, usResident, usCopied }) => {
      const rate = (us) => (2 * nnz * width) / us / 1000;
      const columns = count(width, 'column');
      return [
        { series: `resident, ${columns}`, x: n, y: rate(usResident) },
        { series: `copied, ${columns}`, x: n, y: rate(usCopied) },
      ];
    });
    const title = `A^n x mod ${mod}, A: ${name}, ${rows} x ${rows}, ${nnz} entries`;
    return { name: `rates ${name}`, kind: 'lines', title, x: 'n', y: 'rate in Gop/s', points };
  });
}
