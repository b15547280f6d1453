/** The form of a question: which fields it has, whether they can be taken, and what they ask. */
import { isPrime, isPrimeProved } from '../../fields/primality.js';
import { byId, element } from './element.js';
import type { Asking, Question } from './messages.js';

/** Methods by question; of `solve` over Q below. */
const METHODS: Readonly<Record<Question, readonly string[]>> = {
  rank: ['auto', 'hybrid', 'wiedemann', 'elimination'],
  minpoly: [],
  det: ['auto', 'hybrid', 'wiedemann', 'elimination'],
  solve: ['auto', 'hybrid', 'wiedemann', 'elimination', 'lanczos'],
  nullspace: ['auto', 'elimination', 'lanczos'],
};
const OVER_Q: readonly string[] = ['auto', 'lifting', 'numeric'];
/** Methods whose runs the library keeps. */
const KEPT: Readonly<Record<Question, readonly string[]>> = {
  rank: ['auto', 'hybrid', 'wiedemann'],
  minpoly: [''],
  det: ['auto', 'hybrid', 'wiedemann'],
  solve: ['auto', 'hybrid', 'wiedemann', 'lanczos'],
  nullspace: ['auto', 'lanczos'],
};
const HAS_Q: readonly Question[] = ['rank', 'det', 'solve'];
const LONGEST = 400; // digits whose primality is found while somebody types

const input = (id: string): HTMLInputElement => byId<HTMLInputElement>(id);
const choice = (id: string): HTMLSelectElement => byId<HTMLSelectElement>(id);
const question = (): Question => choice('question').value as Question;

/** Why p cannot be taken; null where it can. */
export function refusalOf(mod: string, question: Question): string | null {
  if (!/^\d+$/.test(mod)) return 'Expected a prime.';
  if (mod.length > LONGEST) return `Expected a prime of at most ${LONGEST} digits.`;
  const p = BigInt(mod);
  if (p === 0n)
    return HAS_Q.includes(question) ? null : 'Expected a prime: over Q there are rank, determinant and systems.';
  return isPrime(p) ? null : `${mod} is not prime.`;
}

/** What p means. */
function remarkOn(mod: string): string {
  const p = BigInt(mod);
  if (p === 0n) return 'Over Q.';
  if (p < 65536n) return `${mod} is prime: 16-bit residues, the fastest.`;
  if (p < 2n ** 31n) return `${mod} is prime: 32-bit residues.`;
  return `${isPrimeProved(p) ? 'Prime' : 'Probably prime'}: beyond 2^31 elimination alone serves it, slowly.`;
}

let isKeepChosen = false; // by hand, or by a run that was left

/** Shows the fields of the question, and whether p can be taken, after a change of the field `changed`. */
export function arrangeForm(changed?: string): void {
  isKeepChosen ||= changed === 'keep';
  const asked = question();
  const mod = modulus();
  const refusal = refusalOf(mod, asked);
  input('mod').setAttribute('aria-invalid', `${refusal !== null}`);
  byId('mod-hint').textContent = refusal ?? remarkOn(mod);
  byId('right-field').hidden = asked !== 'solve';
  byId('kernel-field').hidden = asked !== 'nullspace';
  byId('certificate-field').hidden = asked !== 'rank';
  const hasProducts = ['rank', 'minpoly', 'det'].includes(asked);
  choice('storage').disabled = !hasProducts;
  input('verify').disabled = !hasProducts;
  const methods = asked === 'solve' && /^0+$/.test(mod) ? OVER_Q : METHODS[asked];
  byId('method-field').hidden = methods.length === 0;
  const select = choice('method');
  const before = select.value;
  select.replaceChildren(...methods.map((name) => element('option', {}, name)));
  if (methods.includes(before)) select.value = before;
  const isKeepable = canKeep();
  byId('keep-field').hidden = !isKeepable;
  // Whoever names a method has a long run in mind; a short one is not worth its files.
  if (!isKeepChosen) input('keep').checked = isKeepable && select.value !== 'auto' && asked !== 'minpoly';
}

/** Whether the library keeps such a run: mod a word prime, by a method that is kept, without a certificate. */
function canKeep(): boolean {
  const isWord = refusalOf(modulus(), 'minpoly') === null && BigInt(modulus()) < 2n ** 31n;
  const isCertified = question() === 'rank' && input('certificate').checked;
  return isWord && !isCertified && KEPT[question()].includes(choice('method').value);
}

/** The form as it was for a question. */
export function fillForm(asking: Asking): void {
  choice('question').value = asking.question;
  input('mod').value = asking.mod;
  arrangeForm();
  choice('method').value = asking.method;
  choice('device').value = asking.device;
  choice('storage').value = asking.storage;
  input('threads').value = asking.threads === null ? '' : `${asking.threads}`;
  input('seed').value = asking.seed ?? '';
  input('verify').checked = asking.verify;
  input('certificate').checked = asking.certificate;
  input('left').checked = asking.left;
  input('vectors').value = asking.vectors === null ? '' : `${asking.vectors}`;
  if (asking.right !== null) {
    const files = new DataTransfer();
    files.items.add(asking.right);
    input('right').files = files.files;
  }
  input('keep').checked = asking.keep;
  isKeepChosen = true;
  arrangeForm();
}

export function modulus(): string {
  return input('mod').value.trim();
}

/** What the form asks; an error with one line where a field cannot be taken. */
export function readForm(): Asking {
  const asked = question();
  const mod = modulus();
  const refusal = refusalOf(mod, asked);
  if (refusal !== null) throw new Error(`p: ${refusal}`);
  const right = input('right').files?.[0] ?? null;
  const vectors = asked === 'nullspace' ? wholeNumber('vectors', 'random vectors') : null;
  const method = choice('method').value;
  const seed = input('seed').value.trim();
  if (seed !== '' && !/^-?\d+$/.test(seed)) throw new Error(`seed: expected an integer, got ${seed}`);
  return {
    ...{ question: asked, mod, method, right, vectors },
    device: choice('device').value as Asking['device'],
    threads: wholeNumber('threads', 'threads'),
    storage: choice('storage').value as Asking['storage'],
    seed: seed === '' ? null : seed,
    verify: input('verify').checked,
    certificate: asked === 'rank' && input('certificate').checked,
    left: input('left').checked,
    keep: canKeep() && input('keep').checked,
  };
}

/** Refuses a question that lacks a file; its command line is one all the same. */
export function requireFiles({ question, right }: Asking): void {
  if (question === 'solve' && right === null) throw new Error('solve: expected a file of right sides B');
}

function wholeNumber(id: string, name: string): number | null {
  const text = input(id).value.trim();
  if (text === '') return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name}: expected a number from 1 on, got ${text}`);
  return Number(text);
}
