/**
 * A store of named byte arrays, in which a run keeps what it needs to go on: a folder, a browser's own files, a map.
 *
 * `write` replaces: whoever reads afterwards, after a crash too, should find the old bytes or the new ones. Readers
 * check all the same (sealed.ts), so that a store that tears an array costs work and no truth.
 */
export interface CheckpointStore {
  /** null where there is no array of that name. */
  read(name: string): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  list(): Promise<readonly string[]>;
  /** Does nothing where there is none. */
  remove(name: string): Promise<void>;
}

/** A store that also takes an array in pieces, one behind another: a long one needs no copy. */
export interface PieceStore extends CheckpointStore {
  writePieces(name: string, pieces: readonly Uint8Array[]): Promise<void>;
}

/** A run ended on request, and its store has what it needs to go on. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly warnings: readonly string[];

  /** `warnings`: what an answer's would have said of the store. */
  constructor(warnings: readonly string[] = []) {
    super('stopped at a checkpoint');
    this.warnings = warnings;
  }
}
