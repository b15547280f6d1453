/** `wiedemann minpoly [FILE|-] -p P`: the minimal polynomial of a square matrix mod p, or its degree. */
import { interruptible, jsonOf, print, summaryOf } from './answering.js';
import { gpuOptions, keptRun, type Options, question, runOptions } from './arguments.js';
import { UsageError } from './usage-error.js';

type Coefficients = readonly (number | bigint)[];

/** One line a format. */
const FORMATS: Readonly<Record<string, (f: Coefficients, p: bigint) => string>> = {
  coeffs: (f) => f.join('\n'),
  pari: (f, p) => `Mod(1, ${p})*(${terms(f, (c, power) => [c, power].filter(Boolean).join('*'))})`,
  sage: (f, p) => `PolynomialRing(GF(${p}),'x')([${f}])`,
  magma: (f, p) => `PolynomialRing(GF(${p}))![${f}]`,
  json: (f, p) => JSON.stringify({ mod: `${p}`, coefficients: f.map(String) }),
  latex: (f) => terms(f, (c, power) => (c && power ? `${c} ${power}` : c + power)).replace(/\^(\d\d+)/g, '^{$1}'),
};

export async function run(words: readonly string[], options: Options): Promise<void> {
  const format = FORMATS[options['format'] as string];
  if (!format) throw new UsageError(`--format: expected ${Object.keys(FORMATS).join(', ')}, got ${options['format']}`);
  const { input, asked } = question(words, options);
  const kept = keptRun(options);
  const selfChecks = options['selfChecks'] === true;
  const outcome = await interruptible(
    options,
    (engine, watched, stop) =>
      engine.minpoly(input, {
        ...asked,
        ...runOptions(options),
        ...watched,
        ...gpuOptions(options),
        selfChecks,
        checkpoint: kept && { ...kept, stop },
      }),
    kept !== undefined,
  );
  if (options['explain']) process.stderr.write(outcome.explanation.map((line) => `${line}\n`).join(''));
  const coefficients = Array.from<number | bigint>(outcome.value);
  const degree = coefficients.length - 1;
  const isShort = options['degree'] === true;
  await print(
    options,
    () => jsonOf('minpoly', outcome, isShort ? { degree } : { degree, minpoly: coefficients.map(String) }),
    isShort ? `${degree}` : format(coefficients, outcome.mod),
    summaryOf(`minimal polynomial of degree ${degree}`, outcome),
  );
}

/** The terms from the leading one down, zeros left out; a coefficient 1 is written only where nothing else is. */
function terms(f: Coefficients, term: (coefficient: string, power: string) => string): string {
  const written: string[] = [];
  for (let i = f.length - 1; i >= 0; i--) {
    const c = f[i]!;
    if (BigInt(c) === 0n) continue;
    const power = i === 0 ? '' : i === 1 ? 'x' : `x^${i}`;
    written.push(term(BigInt(c) === 1n && i > 0 ? '' : `${c}`, power));
  }
  return written.join(' + ') || '0';
}
