/**
 * Sparse matrices as other systems read them: an expression of PARI, SageMath or Magma, or JSON.
 *
 *   pari    ((E,M)->…;M*Mod(1,p))(Mat([row,column,value;…]),matrix(r,c))      1-based
 *   sage    matrix(GF(p),r,c,{(row,column):value,…},sparse=True)             0-based
 *   magma   SparseMatrix(GF(p),r,c,[<row,column,value>,…])                    1-based
 *   json    {"rows":r,"cols":c,"mod":"p","entries":[[row,column,"value"],…]}  0-based, as triplets of the library
 *
 * Modulo 0 values are rationals; without a modulus they are integers.
 */

export type ExpressionName = 'pari' | 'sage' | 'magma' | 'json';

/** An integer, or a fraction as a string. */
export type Value = number | bigint | string;

interface Expression {
  begin(rows: number, cols: number): string;
  entry(i: number, j: number, value: Value): string; // 0-based
  readonly between: string;
  readonly end: string;
}

/** One line a form. */
const EXPRESSIONS: Readonly<Record<ExpressionName, (mod: bigint | null) => Expression>> = { pari, sage, magma, json };

export const EXPRESSION_NAMES = Object.keys(EXPRESSIONS) as readonly ExpressionName[];

export function isExpressionName(name: unknown): name is ExpressionName {
  return EXPRESSION_NAMES.includes(name as ExpressionName);
}

const ring = (mod: bigint | null, ofIntegers: string, ofRationals: string): string =>
  mod === null ? ofIntegers : mod === 0n ? ofRationals : `GF(${mod})`;

function pari(mod: bigint | null): Expression {
  const modulo = mod === null || mod === 0n ? '' : `*Mod(1,${mod})`;
  let sizes = '';
  return {
    begin: (rows, cols) => {
      sizes = `${rows},${cols}`;
      return `((E,M)->for(k=1,matsize(E)[1],M[E[k,1],E[k,2]]+=E[k,3]);M${modulo})(Mat([`;
    },
    entry: (i, j, value) => `${i + 1},${j + 1},${value}`,
    between: ';',
    get end() {
      return `]),matrix(${sizes}))\n`;
    },
  };
}

function sage(mod: bigint | null): Expression {
  const field = ring(mod, 'ZZ', 'QQ');
  return {
    begin: (rows, cols) => `matrix(${field},${rows},${cols},{`,
    entry: (i, j, value) => `(${i},${j}):${typeof value === 'string' ? `QQ('${value}')` : value}`,
    between: ',',
    end: '},sparse=True)\n',
  };
}

function magma(mod: bigint | null): Expression {
  const field = ring(mod, 'Integers()', 'Rationals()');
  return {
    begin: (rows, cols) => `SparseMatrix(${field},${rows},${cols},[`,
    entry: (i, j, value) => `<${i + 1},${j + 1},${value}>`,
    between: ',',
    end: '])\n',
  };
}

function json(mod: bigint | null): Expression {
  const modulus = mod === null ? '' : `"mod":"${mod}",`;
  return {
    begin: (rows, cols) => `{"rows":${rows},"cols":${cols},${modulus}"entries":[`,
    entry: (i, j, value) => `[${i},${j},"${value}"]`,
    between: ',',
    end: ']}\n',
  };
}

const PIECE = 1 << 16;

/** A matrix written in batches of entries; no place has two of them, but in PARI and JSON. */
export class ExpressionWriter {
  readonly #expression: Expression;
  #isFirst = true;

  constructor(name: ExpressionName, mod: bigint | null) {
    this.#expression = EXPRESSIONS[name](mod);
  }

  begin(rows: number, cols: number): string {
    return this.#expression.begin(rows, cols);
  }

  /** Texts of about 64 kB. */
  *entries(entries: Iterable<readonly [i: number, j: number, value: Value]>): Generator<string> {
    let piece = '';
    for (const [i, j, value] of entries) {
      piece += `${this.#isFirst ? '' : this.#expression.between}${this.#expression.entry(i, j, value)}`;
      this.#isFirst = false;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }

  end(): string {
    return this.#expression.end;
  }
}

/** The whole matrix at once. */
export function* writeExpression(
  name: ExpressionName,
  mod: bigint | null,
  [rows, cols]: readonly [rows: number, cols: number],
  entries: Iterable<readonly [i: number, j: number, value: Value]>,
): Generator<string> {
  const writer = new ExpressionWriter(name, mod);
  yield writer.begin(rows, cols);
  yield* writer.entries(entries);
  yield writer.end();
}
