/**
 * Programs that compute a rank by elimination, each a whole process that is ended after so many seconds: LinBox's
 * (linbox-eliminate.cpp), on one thread, and SpaSM's `rank`, on two.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { measured } from '../measured-process.mjs';
import { linboxProgram } from './linbox-rank.mjs';

/** A double holds products of residues below it. */
const LINBOX_MODULI = 2 ** 26;
const TIMED_OUT = 124;

/** Those that are there: `folder` keeps LinBox's, `spasm` has SpaSM's; `say` gets a line for each that is not. */
export function eliminations(folder, spasm, limit, say) {
  const linbox = linboxProgram('linbox-eliminate', folder);
  if (linbox.failure) say(`LinBox elimination is missing: ${linbox.failure}`);
  const program = spasm && resolve(join(spasm, 'rank'));
  const hasSpasm = program && existsSync(program);
  if (!hasSpasm) say('SpaSM is missing: --spasm names the folder of its tools');
  return [
    ...(linbox.file ? [peer('LinBox elimination', 1, limit, linboxWords(linbox.file), linboxRank)] : []),
    ...(hasSpasm ? [peer('SpaSM', 2, limit, spasmWords(program), spasmRank)] : []),
  ];
}

const linboxWords = (file) => (matrix, mod) => (mod < LINBOX_MODULI ? [file, matrix, mod] : null);
const linboxRank = ({ stdout }) => Number(stdout);
const spasmWords = (file) => (matrix, mod) => [file, '--matrix', matrix, '--modulus', mod];
const spasmRank = ({ stderr }) => Number(/rank = (\d+)\s*$/.exec(stderr)?.[1]);

/** `run`: `over` seconds where it was ended, null where the program has no room for the modulus. */
function peer(name, threads, limit, wordsOf, rankOf) {
  const environment = { OMP_NUM_THREADS: `${threads}`, OPENBLAS_NUM_THREADS: '1' };
  return {
    name,
    threads,
    async run(file, mod) {
      const words = wordsOf(file, mod);
      if (words === null) return null;
      const run = await measured('timeout', [limit, ...words].map(String), environment);
      if (run.status === TIMED_OUT) return { ...run, over: limit };
      if (run.status !== 0) return { ...run, failure: run.stderr.trim().split('\n').at(-1) };
      return { ...run, rank: rankOf(run) };
    },
  };
}
