/** Ranks of many small matrices by FLINT and by PARI, whose times are those of their ranks alone, without reading. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('flint-ranks.c', import.meta.url));
const HEADER = '/usr/include/flint/nmod_mat.h';

function run(program, words, input) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', input, maxBuffer: 2 ** 20 });
  if (error) return { missing: `${program}: ${error.message}` };
  return status === 0 ? { stdout } : { missing: `${program}: ${stderr.trim().split('\n', 1)[0]}` };
}

/** { ms, sum } of the ranks in `file`, SMS after SMS, or { missing: why }. */
export function flintRanks(folder, file, p) {
  const program = join(folder, 'flint-ranks');
  if (!existsSync(program)) {
    if (!existsSync(HEADER)) return { missing: `${HEADER} is not there (Debian: libflint-dev)` };
    const { missing } = run('gcc', ['-O3', '-march=native', SOURCE, '-o', program, '-lflint', '-lgmp']);
    if (missing !== undefined) return { missing };
  }
  return parse(run(program, [`${p}`], readFileSync(file)));
}

/** The same of the triplets of square matrices by PARI's matrank over F_p. */
export function pariRanks(folder, size, triplets, p) {
  const script = join(folder, 'ranks.gp');
  if (!existsSync(script)) writeFileSync(script, pariScript(size, triplets, p));
  return parse(run('gp', ['-q', '-f', script], ''));
}

function pariScript(size, triplets, p) {
  const literals = triplets.map(({ rowIdx, colIdx, values }) => {
    const [is, js] = [rowIdx, colIdx].map((places) => `[${places.map((at) => at + 1)}]`);
    return `[${size},${size},${is},${js},[${values}]]`;
  });
  return [
    'default(parisizemax, "4G");',
    'dense(t) = { my(a = matrix(t[1], t[2])); for(k = 1, #t[3], a[t[3][k], t[4][k]] = t[5][k]); a };',
    'ms = 0; ranks = 0;',
    // Times are whole milliseconds: a block of matrices is timed at once.
    `block(l) = { my(as = [dense(t) * Mod(1, ${p}) | t <- l], s = getwalltime()); for(k = 1, #as, ranks += matrank(as[k])); ms += getwalltime() - s; };`,
    ...chunks(literals, 200).map((some) => `block([${some}]);`),
    'print(ms, " ", ranks);',
  ].join('\n');
}

function chunks(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, k) => list.slice(k * size, (k + 1) * size));
}

function parse({ missing, stdout }) {
  if (missing !== undefined) return { missing };
  const [ms, sum] = stdout.trim().split(/\s+/).map(Number);
  if (!Number.isFinite(ms) || !Number.isFinite(sum)) return { missing: `unexpected output ${stdout.slice(0, 80)}` };
  return { ms, sum };
}
