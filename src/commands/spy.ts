/**
 * `wiedemann spy [FILE|-] [-o OUT.svg|OUT.png]`: a picture of a sparse matrix; without -o its pattern in braille on
 * stdout.
 *
 * Entries are drawn as they are read, so that memory does not hold the matrix. With a prime, or with --storage, a
 * figure shows the plan too, which needs the matrix as `info` does.
 */
import { printableName } from '../../kernels/errors/excerpt.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { RowLengths } from '../../kernels/sparse/row-statistics.js';
import { type ByteSource, type Reading, readMatrix, streamEntries } from '../io/read-matrix.js';
import { braille } from '../pictures/braille.js';
import { paint } from '../pictures/paint.js';
import { plannedParts } from '../pictures/planned-parts.js';
import { CLASSES, MOST_CELLS } from '../pictures/raster.js';
import { classParts, type FillPart } from '../pictures/row-fill.js';
import { Sketch, type Sketched, type SketchRules, sketchMatrix } from '../pictures/sketch.js';
import { OVER_Q, type QuestionOptions, type Settings } from '../questions/options.js';
import { settings } from '../questions/settings.js';
import { fileAndModulus, type Options, readingOptions, STDIN, standardInput } from './arguments.js';
import { writeOut } from './standard-output.js';
import { UsageError } from './usage-error.js';
import { readFrom, wholeFile } from './vector-output.js';

const USUAL_PRIME = '65521';

type Size = readonly [width: number, height: number];

export async function run(words: readonly string[], options: Options): Promise<void> {
  const { file, mod } = fileAndModulus(words, options);
  const path = options['output'] as string | undefined;
  const kind = path === undefined ? 'braille' : kindOf(path);
  if (kind === 'braille' && options['bare']) throw new UsageError('--bare: expected -o with it');
  const size = sizeOption(options['size'] as string | undefined);
  const storage = options['storage'] as QuestionOptions['storage'];
  const asked = settings('rank', { mod: mod ?? USUAL_PRIME, storage });
  const name = file ?? STDIN.name;
  const input = file ?? standardInput();
  const reading = { name, ...readingOptions(options) };
  const rules = {
    size: (rows: number, cols: number): Size => size ?? (kind === 'braille' ? dots(rows, cols) : pixels(rows, cols)),
    mod: mod === undefined ? OVER_Q : asked.mod,
    maxMemory: reading.maxMemory,
  };
  const output =
    path === undefined ? null : await wholeFile('--output', path, { 'the matrix itself': readFrom(input) });
  try {
    const isShown = kind !== 'braille' && !options['bare'] && isPlanned(mod, asked);
    const look = await (isShown ? lookAndPlan(input, reading, rules, asked) : lookInPassing(input, reading, rules));
    const { raster } = look.sketched;
    if (output !== null) {
      output.append(await fileOf(kind, name, look, rules.size(raster.rows, raster.cols), options));
      await output.finish();
    }
    if (options['json']) await writeOut(json(look.sketched, path));
    else if (output === null) await writeOut(await text(name, look.sketched, options));
  } finally {
    output?.giveUp();
  }
}

interface Look {
  readonly sketched: Sketched;
  readonly parts: readonly FillPart[];
}

async function lookInPassing(input: ByteSource, reading: Reading, rules: SketchRules): Promise<Look> {
  const sketch = new Sketch(rules);
  await streamEntries(input, { ...reading, sink: sketch });
  const sketched = sketch.finish();
  return { sketched, parts: classParts(sketched) };
}

async function lookAndPlan(input: ByteSource, reading: Reading, rules: SketchRules, asked: Settings): Promise<Look> {
  const matrix = await readMatrix(input, reading);
  const sketched = sketchMatrix(matrix, rules);
  return { sketched, parts: plannedParts(matrix, Number(asked.mod), asked.storage) };
}

type Kind = 'braille' | 'svg' | 'png';

function kindOf(path: string): Kind {
  const found = /\.(svg|png)$/i.exec(path);
  if (found === null)
    throw new UsageError(`--output: expected a name that ends in .svg or .png, got ${printableName(path)}`);
  return found[1]!.toLowerCase() as Kind;
}

/** '800x600' → [800, 600], '800' → [800, 800]. */
function sizeOption(text: string | undefined): Size | null {
  if (text === undefined) return null;
  const match = /^([1-9]\d{0,8})(?:x([1-9]\d{0,8}))?$/.exec(text);
  const [width, height] = match ? [Number(match[1]), Number(match[2] ?? match[1])] : [Infinity, Infinity];
  if (width * height > MOST_CELLS)
    throw new UsageError(
      `--size: expected WIDTHxHEIGHT, such as 800x600, of at most ${MOST_CELLS} pixels, got ${text}`,
    );
  return [width, height];
}

const [LONGER, SHORTER] = [600, 150];

/** The longer side is that of every figure; the shorter one is in proportion, but for a strip. */
function pixels(rows: number, cols: number): Size {
  const longest = Math.max(rows, cols, 1);
  const side = (lines: number): number => Math.max(SHORTER, Math.round((LONGER * lines) / longest));
  return [side(cols), side(rows)];
}

/** Characters of a terminal without a width, and lines that are read on one page. */
const [COLUMNS, LINES] = [80, 40];

/** Dots of a frame that fits the terminal, in proportion: a character has two of them across and four down. */
function dots(rows: number, cols: number): Size {
  // A terminal that does not know its size says 0.
  const [columns, lines] = [process.stdout.columns || COLUMNS, process.stdout.rows || LINES + 8];
  const [across, down] = [Math.max(2, 2 * (columns - 2)), Math.max(8, 4 * (lines - 8))];
  const scale = Math.min(across / Math.max(cols, 1), down / Math.max(rows, 1));
  const side = (count: number, least: number): number => Math.max(least, Math.round(scale * count));
  return [Math.min(across, side(cols, 16)), Math.min(down, side(rows, 16))];
}

function isPlanned(mod: string | undefined, { mod: p, storage }: Settings): boolean {
  return (mod !== undefined || storage !== null) && p !== OVER_Q && p <= BigInt(MAX_SIZE);
}

async function fileOf(
  kind: Kind,
  name: string,
  { sketched, parts }: Look,
  [width, height]: Size,
  options: Options,
): Promise<string | Uint8Array> {
  const { figure } = await import('../pictures/figure.js');
  const shown = printableName(name);
  const picture = options['bare']
    ? {
        width,
        height,
        title: shown,
        shapes: [{ kind: 'image' as const, x: 0, y: 0, width, height, pixels: paint(sketched.raster, width, height) }],
      }
    : figure(shown, sketched, parts, width, height);
  if (kind === 'svg') return (await import('../pictures/svg.js')).toSvg(picture);
  return (await import('../pictures/png.js')).toPng(picture);
}

async function text(
  name: string,
  { raster, rowCounts, colCounts, totals }: Sketched,
  options: Options,
): Promise<string> {
  const { default: colors } = await import('picocolors');
  const isColored = options['color'] !== false && process.stdout.isTTY === true && colors.isColorSupported;
  const { blue, red } = colors.createColors(isColored);
  const paints = [blue, red, (piece: string) => piece];
  const values = ['+1', '-1', 'other'].map((label, c) => paints[c]!(`${label}: ${totals[c]}`));
  return `${[
    `${printableName(name)}: ${raster.rows} x ${raster.cols}, ${entriesOf(totals)} entries   ${values.join('   ')}`,
    ...braille(raster, (piece, c) => paints[c]!(piece)),
    `row lengths      ${lengthsText(rowCounts.lengths(), 'rows')}`,
    `column lengths   ${lengthsText(colCounts.lengths(), 'columns')}`,
  ].join('\n')}\n`;
}

function lengthsText({ filled, empty }: { filled: RowLengths; empty: number }, what: string): string {
  const { min, median, mean, max } = filled;
  return `min ${min}   median ${median}   mean ${mean.toFixed(1)}   max ${max}   empty ${what}: ${empty}`;
}

const entriesOf = (totals: Float64Array): number => totals.slice(0, CLASSES).reduce((a, b) => a + b, 0);

function json({ raster, rowCounts, colCounts, totals }: Sketched, output: string | undefined): string {
  const [plusOne, minusOne, other, zero] = totals;
  const [rows, cols] = [rowCounts.lengths(), colCounts.lengths()];
  return `${JSON.stringify({
    ...{ schema: 1, command: 'spy', rows: raster.rows, cols: raster.cols, nnz: entriesOf(totals) },
    ...{ values: { plusOne, minusOne, zero, other }, rowLengths: rows.filled, emptyRows: rows.empty },
    ...{ colLengths: cols.filled, emptyCols: cols.empty, output: output ?? null },
  })}\n`;
}
