/**
 * A run whose arrays and matrix are in Redis, for workers that see no folder: a store of its arrays.
 *
 *   wiedemann:{ID}             a hash: name → VERSION PIECES BYTES SHA256, of arrays and the matrix; state and answer
 *   wiedemann:{ID}:VERSION:i   piece i of PIECES, of 64 MB at most: a value of Redis has 512
 *
 * A write puts its pieces under a version of its own, of which Redis forgets what no name has come to, and then
 * switches the name and drops the pieces before, in one script. A reader meets the old pieces, or none and looks again.
 *
 *   none → open → over     whoever uploads the run writes while there is none, stages while it is open
 *
 * So no older array takes the place of a newer one, and a worker that is late leaves nothing behind a run that is over.
 */
import { randomUUID } from 'node:crypto';
import { joinBytes } from '../../algorithms/checkpoint/sealed.js';
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import type { RedisCommands } from './redis-commands.js';
import type { QueuedAnswer } from './stage-job.js';

export type RunState = 'none' | 'open' | 'over';

/** What Redis has under a name. */
export interface Entry {
  readonly version: string;
  readonly pieces: number;
  readonly bytes: number;
  readonly sha256: string; // of what was uploaded; '-' of what a stage has written
}

/** The run was over before: what a stage still makes of it is of no use. */
export class OverError extends Error {}

/** Names of the matrix and of files that may lie beside it (src/io/cado.ts), which no array has: how each file ends. */
export const MATRIX_FILES: Readonly<Record<string, string>> = {
  ':matrix': '.bin',
  ':matrix-columns': '.cw.bin',
  ':matrix-rows': '.rw.bin',
};

const PIECE_BYTES = 2 ** 26;

/** Seconds after which Redis forgets pieces that no name has come to: an hour, and one more for each MB. */
const lifeOf = (bytes: number): number => 3600 + Math.ceil(bytes / 2 ** 20);

/** Seconds for which the answer stays, for stages of the run that are still in a queue. */
const KEPT = 7 * 86_400;

/** KEYS[1] is the hash. `each` does a command with the pieces of an entry. */
const EACH = `
local function each(command, entry, ...)
  local version, pieces = string.match(entry, '^(%S+) (%d+)')
  local did = 0
  for i = 0, pieces - 1 do did = did + redis.call(command, KEYS[1] .. ':' .. version .. ':' .. i, ...) end
  return did == tonumber(pieces)
end`;

/** ARGV: a name, its entry, states in which it may be written. A script whose reply was lost is asked again. */
const SWITCH = `${EACH}
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old == ARGV[2] then return 'done' end
local state = redis.call('HGET', KEYS[1], ':state') or 'none'
if not string.find(ARGV[3], state, 1, true) then each('UNLINK', ARGV[2]) return 'refused' end
if not each('EXISTS', ARGV[2]) then each('UNLINK', ARGV[2]) return 'lost' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
each('PERSIST', ARGV[2])
if old then each('UNLINK', old) end
return 'done'`;

/** ARGV: a name. */
const REMOVE = `${EACH}
local old = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
if old then each('UNLINK', old) end`;

/** ARGV: the answer, and seconds for which it stays. So do the arrays that a run leaves at its end, which are short. */
const END = `${EACH}
if redis.call('HGET', KEYS[1], ':state') ~= 'open' then return end
redis.call('HSET', KEYS[1], ':state', 'over', ':answer', ARGV[1])
local entries = redis.call('HGETALL', KEYS[1])
for k = 1, #entries, 2 do
  local name, entry = entries[k], entries[k + 1]
  if string.sub(name, 1, 7) == ':matrix' or string.sub(name, 1, 8) == 'attempt-' then
    redis.call('HDEL', KEYS[1], name)
    each('UNLINK', entry)
  elseif string.sub(name, 1, 1) ~= ':' then
    each('EXPIRE', entry, ARGV[2])
  end
end
redis.call('EXPIRE', KEYS[1], ARGV[2])`;

export class UploadedRun implements CheckpointStore {
  readonly id: string;
  readonly pieceBytes: number;
  readonly redis: RedisCommands;
  readonly #key: string;

  constructor(redis: RedisCommands, id: string, pieceBytes = PIECE_BYTES) {
    [this.redis, this.id, this.pieceBytes] = [redis, id, pieceBytes];
    this.#key = `wiedemann:{${id}}`;
  }

  async read(name: string): Promise<Uint8Array | null> {
    for (let last = ''; ; ) {
      const entry = await this.entry(name);
      if (entry === null) return null;
      const found = await this.#pieces(entry);
      if (found !== null) return joinBytes(found);
      if (entry.version === last) return new Uint8Array(0); // its digest tells that it is lost
      last = entry.version;
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    if (await this.put(name, cut(bytes, this.pieceBytes), bytes.length, () => '-', ['open'])) return;
    throw (await this.state()) === 'over' ? new OverError('the run is over') : this.redis.refused(GONE);
  }

  async list(): Promise<readonly string[]> {
    const names = await this.redis.do((client) => client.hkeys(this.#key));
    return names.filter((name) => !name.startsWith(':'));
  }

  async remove(name: string): Promise<void> {
    await this.redis.do((client) => client.eval(REMOVE, 1, this.#key, name));
  }

  /** Why Redis takes nothing new, as where it is full; null where it does. Nothing is put there. */
  refusal(): Promise<Error | null> {
    const asked = this.redis.do((client) => client.set(`${this.#key}:none`, '', 'XX'));
    return asked.then(
      () => null,
      (error: Error) => error,
    );
  }

  async state(): Promise<RunState> {
    return ((await this.redis.do((client) => client.hget(this.#key, ':state'))) ?? 'none') as RunState;
  }

  /** Everything has been uploaded. */
  async open(): Promise<void> {
    await this.redis.do((client) => client.hsetnx(this.#key, ':state', 'open'));
  }

  /** Keeps the answer for a week, with what `submit` takes back; everything else is removed. */
  async end(answer: QueuedAnswer): Promise<void> {
    await this.redis.do((client) => client.eval(END, 1, this.#key, JSON.stringify(answer), KEPT));
  }

  /** The answer of a run that is over, null of one that is open; DeviceError where there is none. */
  async answer(): Promise<QueuedAnswer | null> {
    const [state, text] = await this.redis.do((client) => client.hmget(this.#key, ':state', ':answer'));
    if (typeof state !== 'string') throw this.redis.refused(GONE);
    return typeof text === 'string' ? JSON.parse(text) : null;
  }

  async entry(name: string): Promise<Entry | null> {
    const text = await this.redis.do((client) => client.hget(this.#key, name));
    const [version, pieces, bytes, sha256] = text?.split(' ') ?? [];
    return text === null ? null : { version: version!, pieces: Number(pieces), bytes: Number(bytes), sha256: sha256! };
  }

  /** null where it is lost, or another version has taken its place. */
  piece({ version }: Entry, i: number): Promise<Uint8Array | null> {
    return this.redis.do((client) => client.getBuffer(this.#pieceOf(version, i)));
  }

  /** Whether its pieces are all there. */
  async isWhole({ version, pieces }: Entry): Promise<boolean> {
    const keys = Array.from({ length: pieces }, (_, i) => this.#pieceOf(version, i));
    return keys.length === 0 || (await this.redis.do((client) => client.exists(...keys))) === pieces;
  }

  /**
   * Puts so many bytes there under a name, in pieces of `pieceBytes` at most, if the run is in one of `states`; whether
   * it was. `sha256` is asked for behind the last piece.
   */
  async put(
    name: string,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    bytes: number,
    sha256: () => string,
    states: readonly RunState[],
  ): Promise<boolean> {
    const version = randomUUID();
    let count = 0;
    try {
      for await (const piece of pieces) {
        const buffer = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
        await this.redis.do((client) => client.set(this.#pieceOf(version, count), buffer, 'EX', lifeOf(bytes)));
        count++;
      }
      const entry = `${version} ${count} ${bytes} ${sha256()}`;
      const end = await this.redis.do((client) => client.eval(SWITCH, 1, this.#key, name, entry, states.join()));
      if (end === 'lost') throw this.redis.refused(new Error('it has lost pieces of an array while that was written'));
      return end === 'done';
    } catch (error) {
      const left = Array.from({ length: count }, (_, i) => this.#pieceOf(version, i));
      if (left.length > 0) await this.redis.do((client) => client.unlink(...left)).catch(() => undefined);
      throw error;
    }
  }

  /** null where one is missing. */
  async #pieces(entry: Entry): Promise<Uint8Array[] | null> {
    const found: Uint8Array[] = [];
    for (let i = 0; i < entry.pieces; i++) {
      const piece = await this.piece(entry, i);
      if (piece === null) return null;
      found.push(piece);
    }
    return found;
  }

  #pieceOf(version: string, i: number): string {
    return `${this.#key}:${version}:${i}`;
  }
}

/** A run that nobody has uploaded, or of a Redis that has kept nothing. */
const GONE = new Error('it does not have the run: `wiedemann queue submit` uploads it again');

/** Pieces of so many bytes, one behind another. */
export function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
