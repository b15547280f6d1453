/**
 * LinBox's rank programs as peers: the examples Debian's liblinbox-dev ships, compiled into a folder where they are not
 * there yet.
 *
 *   rank.C           : scalar Wiedemann on D1 A^T D2 A D1, one thread; LinBox's default above 1000 rows and columns
 *   omp_block_rank.C : block Wiedemann, as many columns as threads, then the determinant of the generator interpolated
 *
 * rank.C compiles as shipped. omp_block_rank.C includes a header that no longer does (sigma-basis.h); the temporary
 * copy calls LinBox's OrderBasis::PM_Basis through order-basis-adapter.h instead, and nothing else of it changes.
 * linbox-solve.cpp beside this file compiles in the same way.
 * Each prints the rank alone or first on stdout; the block one then its phases in seconds of wall time (OMPTimer).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured } from '../measured-process.mjs';

const EXAMPLES = '/usr/share/doc/liblinbox-dev/examples';
const HERE = fileURLToPath(new URL('.', import.meta.url));
// Debian configured FFLAS and LinBox without OpenMP; the example insists on the macro, and guards only timers with it.
const FLAGS = [
  '-O2',
  '-march=native',
  '-fopenmp',
  '-w',
  '-DDISABLE_COMMENTATOR',
  '-D__LINBOX_USE_OPENMP=1',
  `-I${HERE}`,
];
// LinBox's .pc file also names libraries (iml, flint, fplll) that these programs do not use and its package does not
// bring.
const LIBRARIES = ['-lntl', '-lmpfr', '-lgivaro', '-lgmpxx', '-lgmp', '-llapack', '-lblas'];

const BLOCK_PATCH = [
  ['#include <linbox/algorithms/sigma-basis.h>', '#include "order-basis-adapter.h"'],
  ['LinBox::SigmaBasis<Field> SB(', 'OrderBasisOnCoefficients<Field> SB('],
];

/** The programs in the order they are run; `threads` is each one's list of thread counts. */
const PROGRAMS = [
  { name: 'LinBox rank', source: 'rank.C', patch: [], threads: [1], phases: [] },
  {
    name: 'LinBox block rank',
    source: 'omp_block_rank.C',
    patch: BLOCK_PATCH,
    threads: [1, 2],
    phases: ['vectors', 'sequence', 'sigmaBasis', 'interpolation'],
  },
];

/**
 * The programs in the folder `given`, as they are, and what can be compiled into it; `say` gets one line for each that
 * cannot.
 */
export function linboxPeers(given, say) {
  const folder = resolve(given);
  mkdirSync(folder, { recursive: true });
  const peers = [];
  for (const program of PROGRAMS) {
    const target = join(folder, program.source.slice(0, -2));
    const failure = existsSync(target) ? null : compile(program, folder);
    if (failure !== null) say(`${program.name} is missing: ${failure}`);
    else for (const threads of program.threads) peers.push(peer(program, target, threads));
  }
  return peers;
}

/** The program of another example, compiled into the folder `given` where it is not there; or why there is none. */
export function linboxExample(source, given) {
  const folder = resolve(given);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, source.slice(0, -2));
  const failure = existsSync(file) ? null : compile({ source, patch: [] }, folder);
  return failure === null ? { file } : { failure };
}

/** The program of a source beside this file, compiled into the folder `given` where it is not there; or why not. */
export function linboxProgram(name, given) {
  const folder = resolve(given);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  const failure = existsSync(file) ? null : build(join(HERE, `${name}.cpp`), file);
  return failure === null ? { file } : { failure };
}

/** Returns null, or why there is no program. */
function compile({ source, patch }, folder) {
  const original = join(EXAMPLES, source);
  if (!existsSync(original)) return `${original} is not there`;
  let text = readFileSync(original, 'utf8');
  for (const [from, to] of patch) {
    if (!text.includes(from)) return `${original} has no "${from}" to patch`;
    text = text.replace(from, to);
  }
  const copy = join(folder, source);
  writeFileSync(copy, text);
  return build(copy, copy.slice(0, -2));
}

function build(source, target) {
  const library = spawnSync('pkg-config', ['--libs-only-l', 'linbox'], { encoding: 'utf8' });
  const linbox = /-llinbox\S*/.exec(library.stdout ?? '')?.[0];
  if (linbox === undefined) return 'pkg-config finds no linbox (Debian: liblinbox-dev)';
  const { status, stderr, error } = spawnSync('g++', [...FLAGS, source, '-o', target, linbox, ...LIBRARIES], {
    encoding: 'utf8',
  });
  if (error) return `g++: ${error.message}`;
  return status === 0
    ? null
    : (stderr.split('\n').find((line) => /error|cannot find|undefined/.test(line)) ?? `g++ ended with ${status}`);
}

function peer({ name, phases }, file, threads) {
  // BLAS's own threads, where it has any, stay out of the count.
  const environment = { OMP_NUM_THREADS: `${threads}`, OPENBLAS_NUM_THREADS: '1' };
  return {
    name,
    threads,
    async run(matrixFile, mod) {
      const run = await measured(file, [matrixFile, `${mod}`], environment);
      if (run.status !== 0) return { ...run, failure: run.stderr.trim().split('\n').at(-1) };
      const [rank, ...numbers] = run.stdout
        .split(/[\s|]+/)
        .filter(Boolean)
        .map(Number);
      return { ...run, rank, seconds: Object.fromEntries(phases.map((phase, i) => [phase, numbers[i]])) };
    },
  };
}
