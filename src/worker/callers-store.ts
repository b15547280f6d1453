/** A store of the caller's own, in the caller's thread, as the engine's thread uses it: a call for every array. */
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import type { Caller } from './caller.js';

export function callersStore(caller: Caller): CheckpointStore {
  return {
    read: async (name) => (await caller.call({ what: 'store', method: 'read', name })) as Uint8Array | null,
    write: async (name, bytes) => void (await caller.call({ what: 'store', method: 'write', name, bytes })),
    list: async () => {
      const names = await caller.call({ what: 'store', method: 'list' });
      return JSON.parse(new TextDecoder().decode(names as Uint8Array));
    },
    remove: async (name) => void (await caller.call({ what: 'store', method: 'remove', name })),
  };
}
