/**
 * A Krylov sequence in a store: its blocks in pieces, and the vectors B^i·V of now and then.
 *
 *   piece i…j    blocks S_i … S_(j−1) and T_i … as far as there are moments      vectors i    B^i·V, codes of GF(q)
 *
 * S_k and T_k for k < i and B^i·V determine everything that follows. Vectors are kept twice, of two checkpoints, each
 * written after its pieces: where the newer is damaged the older goes on, and blocks behind it are made again. Where a
 * piece is damaged the sequence is made from the start. What was checked (sequence-check.ts) is kept with what its
 * check knows, vectors with Xᵀ·V and blocks with their digests: a word that changes behind the check, before it is
 * sealed, is met where a run goes on. Codes are the same on every device, however it holds them.
 * Two processes that make one sequence, since one of them was taken for lost or is slow, keep pieces that end
 * elsewhere: both lie side by side, are right, and serve whoever comes after them. The one behind leaves the vectors of
 * the other where they are, also where both write at once, and ends once that has all.
 * Where the device has a queue of its own, steps go on while arrays are written, one at a time and in that order, and
 * so does the search for the generator behind them: V is read as it was when it was asked for, and blocks that are made
 * do not change.
 * The run's id is to stand for the matrix, p, the seed and the sizes of the blocks: nothing here compares them.
 */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { KeptState } from '../checkpoint/kept-state.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import { areKnown, type KnownBlocks, type KnownPiece } from './block-digests.js';
import { blocksOf, type GrowingBlocks } from './growing-blocks.js';
import { CheckKeeper } from './kept-check-vectors.js';
import type { SequenceCheck } from './sequence-check.js';

/** A sequence after `steps` steps. */
export interface KeptSequence {
  readonly steps: number;
  readonly s: Uint32Array;
  readonly t: Uint32Array;
  readonly v: Uint32Array; // codes
  readonly adjoint: boolean | null;
  readonly dots: Uint32Array | null; // Xᵀ·V, where V was checked
  readonly known: readonly KnownPiece[]; // of its blocks, where they were
}

/** Another process has kept what this one is to make, or more. */
export class OvertakenError extends Error {}

/** A sequence to be kept. */
interface SequenceToKeep {
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  readonly v: Promise<Uint32Array>;
  readonly adjoint: boolean | null;
  readonly checked: KeptCheck | null;
}

/** The check of a sequence (sequence-check.ts). */
type KeptCheck = Pick<SequenceCheck, 'goodDots' | 'areThoseOf' | 'digests'>;

/** A piece i…j. */
interface Piece {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export class SequenceKeeper {
  readonly checkpoint: Checkpoint;
  readonly checks: CheckKeeper;
  private readonly name: string;
  private next = 0; // the first block that is in no piece
  private moments = 0; // the same of T
  private useless = 0; // steps of the furthest vectors that lead nowhere: others may take their place
  private readonly vectors: KeptState;
  private read: Promise<unknown> = Promise.resolve();
  private readonly goal: number;

  /** `name` is what the names of its arrays begin with; `goal` : blocks that are all, where others make them, too. */
  constructor(checkpoint: Checkpoint, name: string, goal = Number.POSITIVE_INFINITY) {
    [this.checkpoint, this.name, this.goal] = [checkpoint, name, goal];
    this.checks = new CheckKeeper(checkpoint, name);
    this.vectors = new KeptState(checkpoint, `${name}-vectors`);
  }

  /** Ends when no device is read any more, and never fails. */
  get reading(): Promise<unknown> {
    return this.read;
  }

  /**
   * The furthest state that is whole; null for none. Blocks of S and T are of so many numbers, V of `size`. Where there
   * is no check V is not compared.
   */
  async recall(
    blockS: number,
    blockT: number,
    size: number,
    check: KeptCheck | null = null,
  ): Promise<KeptSequence | null> {
    await this.checkpoint.settle(); // of this name, where a sequence was lost
    [this.next, this.moments, this.useless] = [0, 0, 0];
    const found = await this.vectors.recall(size);
    for (const state of found) {
      const { steps, words: v } = state;
      const known = state.fields['dots'] as readonly number[] | undefined;
      const dots = known ? Uint32Array.from(known) : null;
      if (dots && check && !(await check.areThoseOf(v, dots))) {
        this.checkpoint.remark(`vectors behind ${steps} steps are not those that were checked`);
        this.useless = Math.max(this.useless, steps);
        continue;
      }
      const blocks = await this.recallBlocks(steps, blockS, blockT);
      if (blocks === null) {
        this.useless = Math.max(this.useless, steps);
        continue;
      }
      [this.next, this.moments] = [steps, blocks.t.length / Math.max(1, blockT)];
      this.vectors.goOnFrom(state);
      return { steps, adjoint: state.fields['adjoint'] as boolean | null, ...blocks, v, dots };
    }
    if (found.length > 0) this.checkpoint.remark('blocks of the sequence are lost: it is made again from its start');
    return null;
  }

  /** Pieces 0…i, i…j, … up to `steps`, where a piece of vectors that are kept ends, by any way through good ones. */
  private async recallBlocks(steps: number, blockS: number, blockT: number) {
    const [s, t]: Uint32Array[][] = [[], []];
    const way: Piece[] = [];
    const found: (KnownPiece | null)[] = [];
    const useless = new Set<Piece>();
    const pieces = chainsTo(steps, await this.piecesKept());
    for (let at = 0; at < steps; ) {
      let next: Piece | undefined;
      for (const piece of pieces.filter((each) => each.from === at && !useless.has(each))) {
        useless.add(piece); // but for the one that is taken, until it leads nowhere
        const sealed = await this.checkpoint.recall(piece.name);
        const split = (piece.to - at) * blockS;
        if (sealed?.fields['split'] !== split) continue;
        const words = wordsOf(sealed.bytes);
        const [own, ownT] = [words.subarray(0, split), words.subarray(split)];
        const known = sealed.fields['known'] as KnownBlocks | undefined;
        if (known && !areKnown(known, blocksOf(own, blockS), blocksOf(ownT, blockT))) {
          this.checkpoint.remark(`${piece.name} is not what was checked`);
          continue;
        }
        s.push(own);
        t.push(ownT);
        found.push(known ? { first: at, ...known } : null);
        next = piece;
        break;
      }
      if (next !== undefined) {
        way.push(next);
        at = next.to;
        continue;
      }
      const last = way.pop();
      if (last === undefined) return null;
      for (const list of [s, t, found]) list.pop();
      at = last.from;
    }
    const known = found.filter((each) => each !== null);
    const joined = { s: joinWords(s), t: joinWords(t), known: known.length === found.length ? known : [] };
    return joined.t.length % Math.max(1, blockT) === 0 ? joined : null;
  }

  /**
   * Begins to keep what is new of the blocks as they are, and V, once it is here; the run goes on meanwhile where it
   * `isBeside`. What was begun before has ended, and the checkpoint's `settle` says how this ends.
   */
  begin({ s, t, v, adjoint, checked }: SequenceToKeep, isBeside: boolean): void {
    const [first, steps, moments] = [this.next, s.count, t.count];
    const known = checked ? { known: checked.digests.from(first) } : {};
    const dots = checked ? { dots: [...checked.goodDots] } : {};
    const blocks = [...s.views(first, steps), ...t.views(this.moments, moments)].map(bytesOf);
    const split = (steps - first) * s.size;
    this.read = v.catch(() => undefined);
    this.checkpoint.begin(async () => {
      const words = await v;
      if (steps === first) return;
      const furthest = await this.furthestOfOthers(steps, words.length);
      if (steps < this.goal && furthest >= this.goal) throw new OvertakenError();
      if (furthest > steps) return; // whose vectors these would replace
      await this.checkpoint.keep(this.pieceOf(first, steps), { split, ...known }, ...blocks);
      await this.vectors.keep(steps, { adjoint, ...dots }, words);
      [this.next, this.moments] = [steps, moments];
    }, isBeside);
  }

  /** Steps of vectors that others have kept beyond so many, and that lead on from there; 0 where there are none. */
  private async furthestOfOthers(steps: number, size: number): Promise<number> {
    if (this.goal === Number.POSITIVE_INFINITY) return 0;
    return this.vectors.furthest(size, Math.max(steps, this.useless));
  }

  private async piecesKept(): Promise<Piece[]> {
    const names = await this.checkpoint.names(`${this.name}-blocks-`);
    return names.map((name) => {
      const [from, to] = name.split('-').slice(-2).map(Number);
      return { name, from, to };
    });
  }

  private pieceOf(from: number, to: number): string {
    return `${this.name}-blocks-${[from, to].map((step) => String(step).padStart(9, '0')).join('-')}`;
  }
}

/** The pieces from which others lead to `steps`, the longest of those that begin together first. */
function chainsTo(steps: number, pieces: readonly Piece[]): Piece[] {
  const ends = new Set([steps]);
  const chained: Piece[] = [];
  for (const piece of [...pieces].sort((a, b) => b.from - a.from || b.to - a.to)) {
    if (!(piece.from < piece.to && ends.has(piece.to))) continue;
    ends.add(piece.from);
    chained.push(piece);
  }
  return chained;
}

function joinWords(parts: readonly Uint32Array[]): Uint32Array {
  const out = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
