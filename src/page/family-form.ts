/** The form of a family: its arguments, with small ones filled in, so that each makes a matrix at once. */
import { byId, element } from './element.js';
import type { FamilyChoice, Source } from './messages.js';

/** Arguments that make a matrix of some thousand entries. */
export const SAMPLES: Readonly<Record<string, readonly number[]>> = {
  bibd: [81, 3],
  inclusion: [2, 3, 30],
  ch: [6, 6, 3],
  mk: [9, 2],
  trefethen: [2000],
  'trefethen-nb': [2000],
  pg: [31],
  ex: [2],
  wheel: [60],
  kneser: [8, 3],
  flower: [30],
  random: [2000, 2000, 10, 65521, 1, 50],
  'low-rank': [2000, 2000, 10, 65521, 1, 800],
  'power-law': [3000, 3000, 65521, 1],
  web: [3000, 8, 65521, 1],
  'block-structured': [3000, 4, 5, 65521, 1],
  delaunay: [5000, 1],
  geometric: [5000, 6, 1],
};

export class FamilyForm {
  readonly #families: readonly FamilyChoice[];
  readonly #select = byId<HTMLSelectElement>('family');

  constructor(families: readonly FamilyChoice[], onOpen: (source: Source) => void) {
    this.#families = families;
    this.#select.replaceChildren(...families.map(({ name }) => element('option', {}, name)));
    this.#select.addEventListener('change', () => this.#arrange());
    byId('generate').addEventListener('click', () => onOpen(this.#source()));
    byId('family-arguments').addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      onOpen(this.#source());
    });
    this.#arrange();
  }

  #family(): FamilyChoice {
    return this.#families.find(({ name }) => name === this.#select.value)!;
  }

  #arrange(): void {
    const { name, doc, args } = this.#family();
    byId('family-doc').textContent = doc.replaceAll('`', '');
    const fields = args.map((arg, i) => {
      const id = `argument-${i}`;
      const value = SAMPLES[name]?.[i] ?? arg.preset ?? arg.min;
      return element(
        'div',
        {},
        element('label', { for: id }, arg.name),
        element('input', { id, inputmode: 'numeric', autocomplete: 'off', value }),
      );
    });
    byId('family-arguments').replaceChildren(...fields);
  }

  #source(): Source {
    const { name, args } = this.#family();
    const words = args.map((_, i) => byId<HTMLInputElement>(`argument-${i}`).value.trim());
    return { kind: 'family', family: name, words };
  }
}
