/**
 * What RESULTS.md shows of each bench.
 *
 *   about   : what is measured
 *   tables  : the markdown of a run's lines
 *   charts  : charts of lines of one machine, { name, … }[]: chart.mjs says what else is in them
 *   compare : how many times faster than a peer these lines say we are, { what, ratio }[]
 */
import { choiceTables } from './choice-tables.mjs';
import { formatsTables } from './formats-tables.mjs';
import { jitTables } from './jit-tables.mjs';
import { markdownTable } from './markdown-table.mjs';
import { rankTables, ratiosToPeers } from './rank-tables.mjs';
import { formatsCharts, residentCharts, spmmCharts } from './section-charts.mjs';

const rows = (columns) => (lines) => markdownTable(columns, lines);
const part = (group, key) => (line) => line[group]?.[key];
const by =
  (...keys) =>
  (line) =>
    keys.map((key) => line[key]).join(' x ');
const text = (key) => (line) => (line[key] === undefined ? undefined : [line[key]].flat().join(' x '));
const listed = (values) =>
  Object.entries(values)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ');
const hundredths = (key) => (line) => Math.round(100 * line[key]) / 100;
const pairs = (value) =>
  value === undefined || typeof value === 'number'
    ? value
    : Object.entries(value)
        .map(([name, x]) => `${name} ${Number(x.toPrecision(3))}`)
        .join(', ');

const gigabytes = (bytes) =>
  Object.fromEntries(Object.entries(bytes).flatMap(([name, count]) => (count === null ? [] : [[name, count / 1e9]])));

/** Lines whose `key` is a ratio to a peer; `what` says of what. */
const against = (key, what) => (lines) =>
  lines.filter((line) => typeof line[key] === 'number').map((line) => ({ what: what(line), ratio: line[key] }));

export const SECTIONS = {
  plan: {
    about:
      'Plans beside the runs that they are of: `plan` by sizes alone and by the matrix, then `rank --method wiedemann`; ' +
      'seconds by phase, and planned over real. With `--published` plans of matrices of the literature.',
    tables: rows([
      ['matrix', 'matrix'],
      ['rows x columns', (line) => line.rows && by('rows', 'cols')(line)],
      ['entries', 'nnz'],
      ['rank at most', 'rank'],
      ['mod', 'mod'],
      ['device', 'device'],
      ['threads', 'threads'],
      ['devices', 'devices'],
      ['block', text('block')],
      ['hours', (line) => line.hours && Number(line.hours.toPrecision(3))],
      ['device hours', (line) => line.deviceHours && Number(line.deviceHours.toPrecision(3))],
      ['GB', ({ bytes }) => bytes && pairs(gigabytes(bytes))],
      ['plan by', 'by'],
      ['planned', (line) => pairs(line.planned)],
      ['real', (line) => pairs(line.real)],
      ['planned / real', (line) => pairs(line.ratio)],
    ]),
  },
  rank: {
    about: 'Whole processes of `wiedemann rank`, reading included, beside the rank programs of LinBox.',
    tables: rankTables,
    compare: ratiosToPeers,
  },
  devices: {
    about:
      'Seconds of whole processes of `rank` by themselves, unasked, beside numbers of threads and methods that they are told, on ' +
      'the threads and on a GPU. An empty cell: over three times as long, or over the limit.',
    tables: (lines) => {
      const names = [...new Set(lines.flatMap(({ seconds }) => Object.keys(seconds ?? {})))];
      return markdownTable(
        [
          ['matrix', 'matrix'],
          ['mod', 'mod'],
          ['device', 'device'],
          ['rank', 'rank'],
          ['chosen', ({ chosen }) => chosen && `${chosen.method}, threads: ${chosen.threads}`],
          ...names.map((name) => [name, part('seconds', name)]),
          ['unasked / best', 'ofBest'],
        ],
        lines,
      );
    },
  },
  square: {
    about: 'Minimal polynomials and determinants of square matrices beside ranks: whole processes, reading included.',
    tables: rows([
      ['matrix', 'matrix'],
      ['mod', 'mod'],
      ['question', 'question'],
      ['program', 'who'],
      ['device', 'device'],
      ['threads', 'threads'],
      ['answer', 'answer'],
      ['seconds', 'seconds'],
      ['beside', 'beside'],
      ['ratio', 'ratio'],
    ]),
  },
  systems: {
    about:
      'Systems with square matrices and kernels of boundary matrices beside LinBox and SpaSM: whole processes, reading ' +
      'and writing included.',
    compare: against('ratio', ({ matrix, question, who }) => `${question} of ${matrix}, ${who}`),
    tables: rows([
      ['matrix', 'matrix'],
      ['mod', 'mod'],
      ['question', 'question'],
      ['program', 'who'],
      ['device', 'device'],
      ['threads', 'threads'],
      ['answer', 'answer'],
      ['seconds', ({ seconds }) => seconds?.toFixed(2)],
      ['times ours', 'ratio'],
      ['failure', 'failure'],
    ]),
  },
  many: {
    about:
      'Ranks of many small random matrices: the stream `ranks`, one question each, and the eliminations of FLINT and ' +
      'PARI alone, on one thread.',
    compare: (lines) =>
      lines
        .filter(({ contender, ratio }) => ratio !== undefined && ['FLINT', 'PARI'].includes(contender))
        .map(({ contender, size, mod, ratio }) => ({ what: `${size} x ${size} mod ${mod}, ${contender}`, ratio })),
    tables: rows([
      ['matrices', 'count'],
      ['size', 'size'],
      ['entries a row', 'row'],
      ['mod', 'mod'],
      ['by', 'contender'],
      ['ms', 'ms'],
      ['times ours', 'ratio'],
      ['sum of ranks', 'sum'],
      ['memory, MB', ({ memory }) => memory?.join(', ')],
      ['missing', 'missing'],
    ]),
  },
  lanczos: {
    about:
      'Block Lanczos: the kernels of its step with their shares of the bandwidth of a copy of 64 MB, and systems beside ' +
      'block Wiedemann, in one process. Each solution is multiplied by A.',
    tables: rows([
      ['matrix', 'matrix'],
      ['device', 'device'],
      ['mod', 'mod'],
      ['threads', 'threads'],
      ['columns', 'width'],
      ['product, ms', ({ ms }) => ms?.product],
      ['dots, ms', ({ ms }) => ms?.dots],
      ['update, ms', ({ ms }) => ms?.update],
      ['answer, ms', ({ ms }) => ms?.answer],
      ['copy, GB/s', 'copyGBps'],
      ['shares', ({ share }) => share && [share.product, share.dots, share.update, share.answer].join(', ')],
      ['lanczos, s', ({ seconds }) => seconds?.lanczos.toFixed(2)],
      ['wiedemann, s', ({ seconds }) => seconds && (seconds.wiedemann?.toFixed(2) ?? 'singular')],
    ]),
  },
  'gpu-workgroups': {
    about:
      'The vector kernels of block Lanczos on a GPU by their number of workgroups: milliseconds as usual and by k for ' +
      'each compute unit, k doubling until the first local minimum.',
    tables: rows([
      ['kernel', 'kernel'],
      ['rows', 'rows'],
      ['columns', 'width'],
      ['mod', 'mod'],
      ['units', 'units'],
      ['usual workgroups', part('usual', 'groups')],
      ['ms', part('usual', 'ms')],
      ['share of a copy', part('usual', 'share')],
      ...[1, 2, 4, 8, 16, 32, 64].map((k) => [`k = ${k}, ms`, part('ms', k)]),
      ['first minimum', 'firstMinimum'],
      ['saved', 'saved'],
    ]),
  },
  'split-rows': {
    about:
      'A product of a random matrix whose rows are on several devices, milliseconds: on one GPU that has matrix and ' +
      'vectors; on several, each block through the host; its parts on one of these alone; on the threads; on a GPU and ' +
      'the threads.',
    tables: rows([
      ['matrix', 'matrix'],
      ['mod', 'mod'],
      ['width', 'width'],
      ['GPUs', 'gpus'],
      ['threads', 'threads'],
      ['one GPU', part('ms', 'gpu')],
      ['all GPUs', part('ms', 'gpus')],
      ['upload', part('ms', 'upload')],
      ['product', part('ms', 'product')],
      ['download', part('ms', 'download')],
      ['on threads', part('ms', 'threads')],
      ['GPU and threads', part('ms', 'both')],
      ['rows by GPU', ({ rows }) => rows.gpus?.join(', ')],
      ['rows on GPU, threads', ({ rows }) => rows.both?.join(', ')],
    ]),
  },
  'block-kernels': {
    about:
      'Kernels on batches of block tridiagonal matrices, on the threads or on a GPU: milliseconds of the batch, and how ' +
      'many times as long its rows take as batches of one problem, and cuBLAS and cuSPARSE in float32 where they have it. ' +
      'With rows of unequal lengths, products with lists grouped by length and with lists in the order of the rows.',
    compare: (lines) =>
      lines.flatMap(({ count, rows: each, mod, peerRatio }) =>
        Object.entries(peerRatio ?? {}).map(([name, ratio]) => ({
          what: `${name}, ${count} x ${each} mod ${mod}, cuBLAS or cuSPARSE`,
          ratio,
        })),
      ),
    tables: rows([
      [
        'device',
        ({ device, threads }) => (device === 'gpu' ? device : `${device}, ${threads} thread${threads > 1 ? 's' : ''}`),
      ],
      ['problems', 'count'],
      ['rows each', 'rows'],
      ['mod', 'mod'],
      ['block', 'block'],
      ['columns', 'width'],
      ...['axpy', 'dot', 'multiply', 'transposed', 'factor', 'solve'].flatMap((name) => [
        [`${name}, ms`, part('ms', name)],
        ['alone', part('ratio', name)],
        ['peer', part('peerRatio', name)],
      ]),
      ['share of the bandwidth, multiply', part('share', 'multiply')],
      ['transposed', part('share', 'transposed')],
      ['blocks a row', 'lengths'],
      ...['multiply', 'transposed'].flatMap((name) => [
        [`${name}, grouped, ms`, part('groupedMs', name)],
        ['in order', part('inOrderMs', name)],
        ['saved', part('saved', name)],
      ]),
    ]),
  },
  spmm: {
    about: 'A sparse matrix times a block of vectors on the threads, beside FFLAS-FFPACK. Gop/s is 2·nnz·width / time.',
    compare: against('ratio', ({ matrix, mod, width }) => `${matrix} mod ${mod}, width ${width}`),
    charts: spmmCharts,
    tables: rows([
      ['matrix', 'matrix'],
      ['mod', 'mod'],
      ['width', 'width'],
      ['threads', 'threads'],
      ['ms', 'ms'],
      ['Gop/s', 'gops'],
      ['peer, Gop/s', 'peerGops'],
      ['ratio', 'ratio'],
      ['ratio of processor times', part('cpu', 'ratio')],
    ]),
  },
  formats: {
    about:
      'A sparse matrix times a block of vectors in every format, beside what is chosen, on the threads and on a GPU. ' +
      'Gop/s is 2·nnz·width / time.',
    compare: against('ofPeer', ({ matrix, mod, width }) => `${matrix} mod ${mod}, width ${width}`),
    charts: formatsCharts,
    tables: formatsTables,
  },
  jit: {
    about:
      'A matrix compiled to WebAssembly (`--storage jit`) beside compressed rows and what is chosen, on one thread: Gop/s ' +
      'of products, and seconds of A^n·x with compiling among them.',
    tables: jitTables,
  },
  'sigma-basis': {
    about: "Order bases of random matrix series on the threads, beside LinBox's `PM_Basis`.",
    compare: against('ours', ({ rows, cols, order, p }) => `${rows} x ${cols}, order ${order}, mod ${p}`),
    tables: rows([
      ['series', by('rows', 'cols')],
      ['order', 'order'],
      ['mod', 'p'],
      ['program', 'contender'],
      ['threads', 'threads'],
      ['ms', 'ms'],
      ['processor ms', 'cpuMs'],
      ['speedup', 'speedup'],
      ['on two cores', 'speedupOnTwoCores'],
      ['of arithmetic', 'speedupOfArithmetic'],
      ['ratio', 'ours'],
    ]),
  },
  wiedemann: {
    about: 'Ranks by block Wiedemann alone, in one process: no pivots, no start, no reading.',
    tables: rows([
      ['matrix', 'instance'],
      ['mod', 'p'],
      ['threads', 'threads'],
      ['processor seconds', 'cpuSeconds'],
      ['block', text('block')],
      ['extension degree', 'extensionDegree'],
      ['product, ms', part('product', 'ms')],
      ['its bytes copied, ms', part('product', 'floorMs')],
    ]),
  },
  elimination: {
    about: 'Ranks by elimination alone, in one process: no start, no reading.',
    tables: rows([
      ['matrix', 'instance'],
      ['mod', 'p'],
      ['threads', 'threads'],
      ['processor seconds', 'cpuSeconds'],
      ['seconds', 'wallSeconds'],
    ]),
  },
  dissections: {
    about: 'Searches for a whole nested dissection beside the seconds that the rule expects, in one process.',
    tables: rows([
      ['pattern', 'pattern'],
      ['rows', 'rows'],
      ['entries', 'entries'],
      ['fronts', 'fronts'],
      ['processor seconds', 'cpuSeconds'],
      ['by the rule', 'byRule'],
    ]),
  },
  'self-checks': {
    about:
      'The cost of `--self-checks`: processor seconds of whole processes without and with, by turns, and the median of ' +
      'the pairs in percent; behind it what each phase takes more, in percent of the wall time without.',
    tables: rows([
      ['question', 'question'],
      ['matrix', 'matrix'],
      ['mod', 'mod'],
      ['threads', 'threads'],
      ['without', ({ cpu }) => cpu[0]],
      ['with', ({ cpu }) => cpu[1]],
      ['cost, %', 'cost'],
      ['cost of wall time, %', 'costOfWall'],
      ['setup', ({ parts }) => parts.setup],
      ['sequence', ({ parts }) => parts.sequence],
      ['order basis', ({ parts }) => parts.sigmaBasis ?? parts.generator],
      ['verification', ({ parts }) => parts.verification],
    ]),
  },
  threads: {
    about: 'Two threads over one, phase by phase, in a process that has asked before.',
    tables: rows([
      ['matrix', 'matrix'],
      ['formula', 'formula'],
      ['phase', 'phase'],
      ['1 thread, s', ({ seconds }) => seconds[0]],
      ['2 threads, s', ({ seconds }) => seconds[1]],
      ['of medians', 'speedup'],
      ['of neighbours', 'speedupOfNeighbours'],
      ['on two cores', 'speedupOnTwoCores'],
      ['of the fastest', 'speedupOfFastest'],
      ['of arithmetic', 'speedupOfArithmetic'],
    ]),
  },
  pluq: {
    about: 'PLUQ of random dense matrices on the threads, beside FFLAS-FFPACK.',
    compare: against('ours', ({ n, rank, p }) => `n = ${n}, rank ${rank}, mod ${p}`),
    tables: rows([
      ['n', 'n'],
      ['rank', 'rank'],
      ['mod', 'p'],
      ['program', 'contender'],
      ['threads', 'threads'],
      ['ms', 'ms'],
      ['speedup', 'speedup'],
      ['ratio', 'ours'],
    ]),
  },
  gf2: {
    about: 'Elimination of random dense matrices over GF(2), beside M4RI.',
    compare: against('ours', ({ n }) => `n = ${n}`),
    tables: rows([
      ['n', 'n'],
      ['program', 'contender'],
      ['threads', 'threads'],
      ['ms', 'ms'],
      ['speedup', 'speedup'],
      ['ratio', 'ours'],
    ]),
  },
  choice: {
    about: 'What `auto` chooses beside the best of the methods by name: processor seconds on one thread.',
    tables: choiceTables,
  },
  tune: {
    about:
      'A product with 16 columns in the storage and on the threads that `tune` chooses, beside one with what is chosen ' +
      'unasked, in turns; `auto` on all threads is what is chosen unasked.',
    tables: rows([
      ['matrix', 'matrix'],
      ['mod', 'mod'],
      ['entries', 'nnz'],
      ['formats tried', 'tried'],
      ['seconds of tuning', hundredths('tuning')],
      ['storage', 'storage'],
      ['threads', 'threads'],
      ['of', 'most'],
      ['Gop/s unasked', 'untuned'],
      ['Gop/s tuned', 'tuned'],
      ['times faster', 'ratio'],
    ]),
  },
  sizes: {
    about:
      'A product by the values of each size of its storage and of its launches beside the usual value, all other sizes ' +
      'being usual, in turns; `together` is what gains 5 % in each, at once; once more: the ' +
      'usual sizes beside themselves.',
    tables: rows([
      ['matrix', 'matrix'],
      ['mod', 'mod'],
      ['width', 'width'],
      [
        'on',
        ({ device, threads }) => (device === 'gpu' ? 'GPU' : `${threads} ${threads === 1 ? 'thread' : 'threads'}`),
      ],
      ['size', 'size'],
      ['usual, µs', 'us'],
      ['once more', 'again'],
      ['times as fast by value', ({ times }) => listed(times)],
      ['best', ({ best }) => (typeof best === 'object' ? listed(best) : best)],
      ['times as fast', 'gain'],
    ]),
  },
  rates: {
    about: 'The constants by which `auto` weighs methods (algorithms/methods/rates.ts), measured once more.',
    tables: rows([
      ['rate', 'what'],
      ['mod', 'p'],
      ['size', ({ size }) => `${size}`],
      ['seconds', 'rate'],
    ]),
  },
  read: {
    about: 'Reading speed: megabytes of uncompressed text a second.',
    tables: rows([
      ['file', 'kind'],
      ['entries', 'entries'],
      ['bytes of text', 'bytes'],
      ['median, MB/s', 'medianMBs'],
      ['best, MB/s', 'bestMBs'],
    ]),
  },
  page: {
    about:
      'Frames of the page while it reads and computes: the longest gap of a round, in milliseconds, the median of rounds, ' +
      'and the worst of all. The longest task of the main thread in any round by the time of a core that it took: what is ' +
      'left of a gap is waiting for a core, beside the threads that compute.',
    tables: rows([
      ['browser', 'browser'],
      ['matrix', 'matrix'],
      ['method', 'method'],
      ['rounds', 'rounds'],
      ['reading', 'readingMs'],
      ['computing', 'computingMs'],
      ['worst reading', 'readingWorstMs'],
      ['worst computing', 'computingWorstMs'],
      ['longest task', 'taskMs'],
      ['of a core', 'taskCoreMs'],
      ['seconds', 'seconds'],
      ['load', 'load'],
    ]),
  },
  start: {
    about: 'What a small run of the command line costs beside Node itself.',
    tables: rows([
      ['process', 'case'],
      ['median, s', 'wall'],
      ['least, s', 'least'],
      ['processor s', 'cpu'],
      ['over Node', 'ratio'],
      ['more than 2 x 2, s', 'over2x2'],
      ['peak, MB', 'peakMB'],
      ['more than Node, MB', 'overNodeMB'],
      ['load', 'load'],
    ]),
  },
  'gpu-spmm': {
    about: 'A sparse matrix times a block of vectors on a GPU, beside cuSPARSE in float32.',
    compare: against('ratio', ({ matrix, mod, width }) => `${matrix} mod ${mod}, width ${width}`),
    tables: rows([
      ['matrix', 'matrix'],
      ['entries', 'nnz'],
      ['mod', 'mod'],
      ['width', 'width'],
      ['µs', 'us'],
      ['Gop/s', 'gops'],
      ['peer, µs', 'peerUs'],
      ['ratio', 'ratio'],
      ['bytes copied, µs', 'bytesFloorUs'],
      ['X gathered, µs', 'gatherFloorUs'],
    ]),
  },
  'gpu-krylov': {
    about: 'The steps of the Krylov sequence on a GPU, kernel by kernel, and on several.',
    tables: rows([
      ['matrix', 'family'],
      ['mod', 'mod'],
      ['block', text('block')],
      ['product, µs', part('us', 'product')],
      ['hash, µs', part('us', 'hash')],
      ['projection, µs', part('us', 'project')],
      ['moments, µs', part('us', 'dot')],
      ['all, µs', part('us', 'all')],
      ['steps a second', 'stepsPerSecond'],
      ['with moments', 'withMoments'],
      ['GPUs', part('shared', 'gpus')],
      ['steps a second of all', part('shared', 'stepsPerSecond')],
    ]),
  },
  'gpu-schur': {
    about:
      'Products with the implicit Schur complement of structural pivots on a GPU, milliseconds, beside the whole matrix and the threads.',
    tables: rows([
      ['matrix', 'family'],
      ['mod', 'mod'],
      ['width', 'width'],
      ['levels', 'levels'],
      ['entries', 'entries'],
      ['on the GPU', part('ms', 'gpu')],
      ['whole matrix there', part('ms', 'whole')],
      ['on the threads', part('ms', 'cpu')],
      ['threads', 'threads'],
    ]),
  },
  'gpu-resident': {
    about: "A^n·x on a GPU with the vectors resident, and with each step's vectors copied to the GPU and back.",
    charts: residentCharts,
    tables: rows([
      ['matrix', 'matrix'],
      ['mod', 'mod'],
      ['width', 'width'],
      ['n', 'n'],
      ['resident, µs a product', 'usResident'],
      ['copied, µs', 'usCopied'],
      ['ratio', 'ratio'],
    ]),
  },
  'gpu-sigma-basis': {
    about: 'Order bases of random matrix series on a GPU, beside the threads.',
    tables: rows([
      ['series', by('rows', 'cols')],
      ['order', 'order'],
      ['mod', 'p'],
      ['program', 'contender'],
      ['crossover', 'crossover'],
      ['ms', ({ ms, kernels }) => (kernels === undefined ? ms : undefined)],
      ['base cases, ms', 'leaves'],
      ['waits, ms', 'waits'],
      ['products of the last level, ms', ({ kernels }) => pairs(kernels)],
    ]),
  },
  'gpu-pluq': {
    about: 'Elimination of random dense matrices on a GPU, beside the threads.',
    tables: rows([
      ['n', 'n'],
      ['rank', 'rank'],
      ['mod', 'p'],
      ['program', 'contender'],
      ['ms', 'ms'],
      ['upload, ms', 'upload'],
      ['first run, ms', 'first'],
      ['10^12 products a second', ({ tera }) => pairs(tera)],
      ['CPU over GPU', 'ratio'],
    ]),
  },
  'out-of-core': {
    about:
      'Products with a generated matrix in pieces on the disk, two of which are in memory at a time; sampled rows of every ' +
      'step are compared with integers.',
    tables: rows([
      ['rows', 'rows'],
      ['entries', 'entries'],
      ['mod', 'mod'],
      ['width', 'width'],
      ['threads', 'threads'],
      ['pieces', 'pieces'],
      ['bytes on the disk', 'bytes'],
      ['steps', 'steps'],
      ['residues compared', 'compared'],
      ['first step, s', hundredths('packing')],
      ['step, s', hundredths('stepSeconds')],
      ['GB/s', hundredths('gigabytesASecond')],
      ['Gop/s', hundredths('gops')],
      ['peak, MB', 'peakMB'],
    ]),
  },
  compare: {
    about: 'The benchmarks of two commits in turns: medians, and their quotient, new over old.',
    tables: (lines) =>
      markdownTable(
        ['bench', 'line', 'measurement', 'old', 'new', 'quotient'].map((key) => [key, key]),
        lines.flatMap(({ of, line, measurements }) =>
          Object.entries(measurements).map(([measurement, values]) => ({ bench: of, line, measurement, ...values })),
        ),
      ),
  },
  'hundred-digit': {
    about:
      'Problem 7 of the hundred-digit challenge, and smaller matrices of its family, as exact fractions: the first ' +
      'coordinate of A^-1·e_1, by PARI all of them.',
    tables: rows([
      ['matrix', 'matrix'],
      ['program', 'program'],
      ['device', 'device'],
      ['proved by', 'proof'],
      ['digits of numerator and denominator', (line) => line.lengths.join(' and ')],
      ['it begins', (line) => `0.${line.digits.slice(0, 12)}`],
      ['seconds', hundredths('seconds')],
      ['CPU seconds', hundredths('cpu')],
    ]),
  },
  other: { about: 'Facts measured by hand, without a bench.', tables: () => '' },
};
