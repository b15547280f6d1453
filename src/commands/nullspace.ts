/**
 * `wiedemann nullspace [FILE|-] -p P`: a basis of the kernel, or random vectors of it, as the rows of an SMS matrix, on
 * stdout or in a file. A batch of vectors is written before the next one is made.
 */
import { SMS_END, smsHeader, smsRows } from '../io/write-dense.js';
import { EXPRESSION_NAMES, ExpressionWriter, isExpressionName } from '../io/write-expression.js';
import type { KernelVectors } from '../questions/kernel-vectors.js';
import type { NullspaceOptions } from '../questions/options.js';
import { interruptible, jsonOf, summaryOf } from './answering.js';
import { countOption, gpuOptions, keptRun, type Options, question } from './arguments.js';
import { writeOut } from './standard-output.js';
import { NoAnswerError, UsageError } from './usage-error.js';
import { answerOutput, readFrom } from './vector-output.js';

export async function run(words: readonly string[], options: Options): Promise<void> {
  const { input, asked } = question(words, options);
  const left = options['left'] === true;
  const count = countOption('--vectors', options['vectors'] as string | undefined);
  const method = options['method'] as NullspaceOptions['method'];
  const kept = keptRun(options);
  const writer = writerOf(options['format'] as string, asked.mod);
  const output = await answerOutput(options, { 'the matrix itself': readFrom(input) });
  // The dimension alone is asked for where nothing takes the vectors; block Lanczos knows it by them.
  const isLanczos = method === 'lanczos' || options['gpus'] !== undefined || kept !== undefined;
  const vectors = output === null && !isLanczos ? 0 : count;
  let hasHeader = false;
  const begin = async (rows: number, cols: number): Promise<void> => {
    if (!hasHeader) await output?.append(writer.begin(rows, cols));
    hasHeader = true;
  };
  const onVectors = async (batch: KernelVectors): Promise<void> => {
    await begin(batch.total, batch.length);
    for (const piece of writer.rows(batch)) await output?.append(piece);
  };
  try {
    const more = { ...gpuOptions(options), method, left, vectors, onVectors };
    const outcome = await interruptible(
      options,
      (engine, watched, stop) =>
        engine.nullspace(input, { ...asked, ...watched, ...more, checkpoint: kept && { ...kept, stop } }),
      kept !== undefined,
    );
    if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
    // What was found stays unsaid: a header has promised more.
    if (outcome.kind === 'oneSided') throw new NoAnswerError(outcome.reason);
    await begin(outcome.vectors, left ? outcome.rows : outcome.cols); // of no vectors
    await output?.append(writer.end());
    await output?.finish();
    const { rank, dimension } = outcome;
    if (options['json'])
      await writeOut(jsonOf('nullspace', outcome, { dimension, rank, left, vectors: outcome.vectors }));
    else if (!options['quiet']) {
      const space = left ? 'left kernel' : 'kernel';
      const kernel = dimension === null ? space : `${space} of dimension ${dimension}`;
      process.stderr.write(
        summaryOf(count === undefined ? kernel : `${count} random vectors of the ${kernel}`, outcome),
      );
    }
  } finally {
    output?.giveUp(); // what is finished stays
  }
}

/** Vectors as rows of a matrix, as they come. */
interface VectorWriter {
  begin(rows: number, cols: number): string;
  rows(batch: KernelVectors): Iterable<string>;
  end(): string;
}

const SMS_WRITER: VectorWriter = { begin: smsHeader, rows: smsRows, end: () => SMS_END };

function writerOf(format: string, mod: bigint | number | string): VectorWriter {
  if (format === 'sms') return SMS_WRITER;
  if (!isExpressionName(format))
    throw new UsageError(`--format: expected sms, ${EXPRESSION_NAMES.join(', ')}, got ${format}`);
  let writer: ExpressionWriter | undefined; // from the first vector on, when the modulus is known to be one
  return {
    begin: (rows, cols) => {
      writer = new ExpressionWriter(format, BigInt(mod));
      return writer.begin(rows, cols);
    },
    rows: (batch) => writer!.entries(entriesOf(batch)),
    end: () => writer!.end(),
  };
}

function* entriesOf({
  from,
  count,
  rowPtr,
  colIdx,
  values,
}: KernelVectors): Generator<[number, number, number | bigint]> {
  for (let i = 0; i < count; i++)
    for (let k = rowPtr[i]!; k < rowPtr[i + 1]!; k++) yield [from + i, colIdx[k]!, values[k]!];
}
