/** Files for what memory does not hold: they grow at their end, are read anywhere, and nobody else sees them. */
export interface ScratchFile {
  /** Bytes so far, which may be far beyond 2^32. */
  readonly bytes: number;
  /** Puts bytes behind the others and tells where they begin; they may be used again at once. */
  append(bytes: Uint8Array): number;
  /** Fills `into`, which may be shared memory, from byte `at` on. */
  read(into: Uint8Array, at: number): Promise<void>;
  /** Gives the room on the disk back. */
  close(): void;
}

/** Where such files are made. */
export interface Scratch {
  /** In words, for explanations. */
  readonly name: string;
  file(): ScratchFile;
}
