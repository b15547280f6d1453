/** Products that are right and warm, to be timed by formats-clock.mjs. */
import { warmUp } from './formats-clock.mjs';
import { checkRows } from './products.mjs';

const { CounterRandom } = await import(new URL('../../dist/fields/random.js', import.meta.url).href);

/** Seconds after which the engine has made its better code of a module that was compiled just now, at least. */
const COMPILED = 2;

/** The operators of one matrix and modulus on one executor: kept for every width where the device has the room. */
export class Operators {
  static async create(clock, p) {
    return new Operators(clock, await clock.executor(p));
  }

  constructor(clock, executor) {
    Object.assign(this, { executor, keeps: clock.keeps, kept: new Map() });
  }

  /** Those with sizes of their own are not kept. */
  operator(matrix, { storage, words, sizes }) {
    const ofMatrix = this.kept.get(matrix) ?? new Map();
    this.kept.set(matrix, ofMatrix);
    const key = `${storage} ${words}`;
    const options = { use: 'apply', ...(storage && { storage }), ...(words && { words }) };
    if (sizes) return this.executor.operator(matrix, { ...options, sizes });
    const operator = ofMatrix.get(key) ?? this.executor.operator(matrix, options);
    if (this.keeps) ofMatrix.set(key, operator);
    return operator;
  }

  free(operator, sizes) {
    if (!this.keeps || sizes) operator.free();
  }

  dispose() {
    for (const operators of this.kept.values()) for (const operator of operators.values()) operator.free();
    this.executor.dispose();
  }
}

/** Products of one matrix, modulus and width by contenders { name, storage?, words?, sizes?, matrix? }. */
export class Products {
  static async create(clock, operators, name, a, p, width) {
    const products = new Products(clock, operators, a, p, width);
    products.start = new CounterRandom(7n, width).fillResidues(new Uint32Array(a.cols * width), p);
    products.csr = await products.contender({ name: 'csr', storage: 'csr' });
    checkRows(`${name} mod ${p}`, a, p, width, products.start, products.csr.answer);
    return products;
  }

  constructor(clock, operators, a, p, width) {
    const { executor } = operators;
    Object.assign(this, { clock, operators, executor, a, p, width });
    [this.x, this.y] = [executor.vector(a.cols, width), executor.vector(a.rows, width)];
  }

  /** Ready to be timed: its product is right, and it is warm. */
  async contender({ name, storage, words, sizes, matrix = this.a }, n = 1) {
    const { executor, operators, x, y, p, clock } = this;
    const operator = operators.operator(matrix, { storage, words, sizes });
    this.writeStart();
    executor.fill(y, p - 1);
    const isSliced = storage === undefined || storage === 'sliced-ell';
    // Products before a storage of their own serves them; bins of a GPU have no sizes.
    const before = isSliced && !(sizes && clock.keeps) ? clock.before(this.width) : 0;
    for (let i = 0; i < before; i++) await operator.apply(y, x);
    await operator.apply(y, x);
    const answer = await executor.read(y);
    if (this.csr && matrix === this.a && !answer.every((v, i) => v === this.csr.answer[i]))
      throw new Error(`${name} mod ${p}, width ${this.width}: another product than csr's`);
    if (matrix !== this.a) checkRows(`${name} mod ${p}`, matrix, p, this.width, this.start, answer);
    const product = n === 1 ? () => void operator.apply(y, x) : () => powers(operator, x, y, n);
    const repeats = await warmUp(clock, product, storage === 'jit' ? COMPILED : 0);
    return {
      name,
      answer: this.csr ? null : answer,
      work: product,
      repeats,
      free: () => operators.free(operator, sizes),
    };
  }

  /** x as it was before powers of another contender went through it, in uploads of bounded size. */
  writeStart() {
    const { executor, x, a, width, start } = this;
    const slice = Math.floor(2 ** 24 / width);
    for (let first = 0; first < a.cols; first += slice) {
      executor.write(x, start.subarray(first * width, Math.min(a.cols, first + slice) * width), first);
    }
  }

  /** Gop/s of a product of so many seconds. */
  rate(seconds) {
    return Number(((2 * this.a.colIdx.length * this.width) / seconds / 1e9).toPrecision(4));
  }

  dispose() {
    this.csr.free();
    for (const v of [this.x, this.y]) this.executor.release(v);
  }
}

/** A^n·x of a square matrix, the two vectors in turns. */
function powers(operator, x, y, n) {
  for (let step = 0; step < n; step++) operator.apply(...(step % 2 === 0 ? [y, x] : [x, y]));
}
