/** A store of a kept run in memory, and what can happen to its arrays. */
import type { CheckpointStore } from '../../../algorithms/checkpoint/store.js';

export class MemoryStore implements CheckpointStore {
  readonly arrays = new Map<string, Uint8Array>();
  read = async (name: string) => this.arrays.get(name)?.slice() ?? null;
  write = async (name: string, bytes: Uint8Array): Promise<void> => void this.arrays.set(name, bytes.slice());
  list = async () => [...this.arrays.keys()];
  remove = async (name: string) => void this.arrays.delete(name);
}

export const DAMAGES: Readonly<Record<string, (store: MemoryStore, name: string) => void>> = {
  'a bit flipped in its line': (store, name) => flip(store, name, 20),
  'a bit flipped at its end': (store, name) => flip(store, name, store.arrays.get(name)!.length - 1),
  'cut off': (store, name) => void store.arrays.set(name, store.arrays.get(name)!.slice(0, -3)),
  empty: (store, name) => void store.arrays.set(name, new Uint8Array(0)),
  removed: (store, name) => void store.arrays.delete(name),
};

function flip(store: MemoryStore, name: string, at: number): void {
  store.arrays.get(name)![at]! ^= 1;
}
