/**
 * `wiedemann solve A B -p P`: X with A·X = B mod p, or over Q, on stdout or in a file, in the form that B has; exit
 * code 3 where a column of B has no solution, and on request the u that proves it.
 */
import { printableName } from '../../kernels/errors/excerpt.js';
import { readRightSides } from '../io/read-right-sides.js';
import { type DenseForm, type Values, writeDense } from '../io/write-dense.js';
import { EXPRESSION_NAMES, type ExpressionName, isExpressionName, writeExpression } from '../io/write-expression.js';
import type { SolveOptions } from '../questions/options.js';
import type { Fractions, Residues, SolveOutcome } from '../questions/outcome.js';
import { valuesOf } from '../questions/solution-values.js';
import { interruptible, jsonOf, summaryOf } from './answering.js';
import { gpuOptions, keptRun, type Options, question, readingOptions, STDIN, standardInput } from './arguments.js';
import { writeOut } from './standard-output.js';
import { NoAnswerError, NoSolutionError, UsageError } from './usage-error.js';
import { answerOutput, readFrom, type VectorOutput, vectorOutput } from './vector-output.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const [a = '-', b = '-', ...rest] = words;
  if (a === '-' && b === '-') throw new UsageError('expected a FILE for A or for B, got none');
  const { input, asked } = question([a, ...rest], options);
  const isOverQ = asked.mod === '0';
  const form = formatOption(options['format'] as string | undefined, isOverQ);
  const coordinates = coordinatesOption(options['coordinates'] as string | undefined);
  const inputs = { 'the matrix itself': readFrom(input), 'the right sides themselves': b === '-' ? STDIN.fd : b };
  if (options['inconsistency'] === '-' && options['json'])
    throw new UsageError('--inconsistency -: expected no --json, both would be on standard output');
  const output = await answerOutput(options, inputs);
  const refutation = await vectorOutput('--inconsistency', options['inconsistency'], inputs);
  try {
    const [source, name] = b === '-' ? [standardInput(), STDIN.name] : [b, b];
    const right = await readRightSides(source, { name, ...readingOptions(options), format: 'auto' });
    const method = options['method'] as SolveOptions['method'];
    const more = {
      method,
      ...gpuOptions(options),
      ...(coordinates && { coordinates }),
      ...(options['random'] === true && { random: true }),
    };
    const kept = keptRun(options);
    const outcome = await interruptible(
      options,
      (engine, watched, stop) =>
        engine.solve(input, right.matrix, { ...asked, ...watched, ...more, checkpoint: kept && { ...kept, stop } }),
      kept !== undefined,
    );
    if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
    const answer = { outcome, form: form(right.form), options };
    if (outcome.inconsistent !== null) await tellRefuted(answer, refutation, name);
    else await tellSolved(answer, output);
  } finally {
    // What is finished stays.
    output?.giveUp();
    refutation?.giveUp();
  }
}

type Form = DenseForm | ExpressionName;

interface Answer {
  readonly outcome: SolveOutcome<Residues | Fractions>;
  readonly form: Form;
  readonly options: Options;
}

async function tellSolved({ outcome, form, options }: Answer, output: VectorOutput | null): Promise<void> {
  const { value, rightSides } = outcome;
  // Without a proof nothing is printed: every attempt was unlucky.
  if (value === null)
    throw new NoAnswerError(
      `no solution was found, and none refuted: ${outcome.kind === 'oneSided' ? outcome.reason : ''}`,
    );
  const values = valuesOf(value);
  const rows = rightSides === 0 ? outcome.cols : values.length / rightSides;
  if (output !== null) {
    for (const piece of writeAs(form, outcome.mod, rows, rightSides, values)) await output.append(piece);
    await output.finish();
  }
  if (options['json']) {
    const strings = stringsOf(values);
    const solution = Array.from({ length: rows }, (_, i) => strings.slice(i * rightSides, (i + 1) * rightSides));
    await writeOut(jsonOf('solve', outcome, { rightSides, ...(output === null ? { solution } : {}) }));
  } else if (!options['quiet']) process.stderr.write(summaryOf(solutions(rightSides), outcome));
}

async function tellRefuted(
  { outcome, form, options }: Answer,
  refutation: VectorOutput | null,
  name: string,
): Promise<never> {
  const { rows, rightSides, mod } = outcome;
  const { column, certificate } = outcome.inconsistent!;
  if (refutation !== null) {
    for (const piece of writeAs(form, mod, rows, 1, certificate)) await refutation.append(piece);
    await refutation.finish();
  }
  if (options['json']) {
    const shown = { column: column + 1, ...(refutation === null ? { certificate: stringsOf(certificate) } : {}) };
    await writeOut(jsonOf('solve', outcome, { rightSides, inconsistent: shown }));
  }
  const which = rightSides === 1 ? 'the right side' : `column ${column + 1}`;
  throw new NoSolutionError(
    `no solution: ${which} of ${printableName(name)} is outside the column space ${mod === 0n ? 'over Q' : `mod ${mod}`}, proved`,
  );
}

const solutions = (count: number): string => (count === 1 ? 'solution' : `${count} solutions`);

const stringsOf = (values: Values): string[] => Array.from<number | bigint | string, string>(values, String);

/** The form of the answer by that of B; MatrixMarket has no fractions. */
function formatOption(name: string | undefined, isOverQ: boolean): (given: DenseForm) => Form {
  if (name === undefined) return (given) => (isOverQ && given !== 'sms' ? 'lines' : given);
  if (name === 'sms' || name === 'lines' || isExpressionName(name)) return () => name;
  if (name === 'mm' && isOverQ) throw new UsageError('--format mm: it has no fractions; sms and lines have');
  if (name === 'mm') return (given) => (given === 'coordinate' ? 'coordinate' : 'array');
  throw new UsageError(`--format: expected sms, mm, lines, ${EXPRESSION_NAMES.join(', ')}, got ${name}`);
}

/** Rows of residues, or of integers and fractions. */
function writeAs(form: Form, mod: bigint, rows: number, cols: number, values: Values): Generator<string> {
  if (!isExpressionName(form)) return writeDense(form, rows, cols, values);
  function* nonzero(): Generator<[number, number, number | bigint | string]> {
    for (let k = 0; k < values.length; k++)
      if (values[k] !== 0 && values[k] !== 0n) yield [Math.floor(k / cols), k % cols, values[k]!];
  }
  return writeExpression(form, mod, [rows, cols], nonzero());
}

/** '1,5' → [0, 4]. */
function coordinatesOption(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*(,[1-9]\d*)*$/.test(text))
    throw new UsageError(`--coordinates: expected numbers from 1 on, such as 1,5, got ${text}`);
  return text.split(',').map((number) => Number(number) - 1);
}
