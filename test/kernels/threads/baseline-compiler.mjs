/**
 * Run with --liftoff-only: base cases of sigma-basis on one and on two threads, whose barriers really put them to
 * sleep.
 */
import { CounterRandom } from '../../../dist/fields/random.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { baseCase } from '../../../dist/kernels/poly/mbasis.js';
import { allocPoly, readPoly, writePoly } from '../../../dist/kernels/poly/poly-matrix.js';
import { polyField } from '../../../dist/kernels/residues/field-words.js';
import { Team } from '../../../dist/kernels/threads/team.js';

const [ROWS, COLS, ORDERS, P, TIMES] = [24, 8, 8, 65521, 20];

async function bases(threads) {
  const team = await Team.create(threads);
  const { memory } = team;
  const field = polyField(memory, WordPrime.of(P));
  const g = allocPoly(memory, ROWS, COLS, ORDERS);
  writePoly(memory, g, new CounterRandom(7n, 0).fillResidues(new Uint32Array(ROWS * COLS * ORDERS), P, 0));
  const found = Array.from({ length: TIMES }, () => {
    const degrees = new Int32Array(ROWS);
    const basis = baseCase(team, field, g, degrees, 0);
    const text = `${degrees.join()};${readPoly(memory, basis).join()}`;
    memory.release(basis.at);
    return text;
  });
  await team.dispose();
  return new Set(found);
}

const one = await bases(1);
const two = await bases(2);
console.log(one.size === 1 && two.size === 1 && one.has([...two][0]) ? 'the same' : 'different');
