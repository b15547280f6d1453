/**
 * Commands to a Redis, which wait for it where it is gone, and fail once `close` is called: those that ioredis has not
 * sent by then it leaves waiting.
 */
import type { ConnectionOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { DeviceError } from '../../kernels/errors/device-error.js';
import { OptionError } from '../errors.js';
import { CLOSED, refused } from './unreached.js';

export class RedisCommands {
  readonly #connection: ConnectionOptions;
  readonly #client: Redis;
  readonly #waiting = new Set<(error: Error) => void>();
  isClosed = false;

  private constructor(connection: ConnectionOptions, client: Redis) {
    [this.#connection, this.#client] = [connection, client];
  }

  /** A connection of its own: locks of jobs are renewed on another one, behind no long array. */
  static async open(connection: ConnectionOptions): Promise<RedisCommands> {
    const { Redis: Client } = await import('ioredis');
    const lasting = { maxRetriesPerRequest: null };
    const open = (): Redis => {
      if ('connect' in connection)
        return connection['isCluster'] ? connection['duplicate']() : connection['duplicate'](lasting);
      const { url, ...options } = { host: '127.0.0.1', port: 6379, ...connection, ...lasting };
      return url === undefined ? new Client(options) : new Client(url, options);
    };
    const client = open();
    if (typeof client.getBuffer !== 'function')
      throw new OptionError('upload: expected host and port, or an ioredis client');
    client.on('error', () => {}); // BullMQ's own connections tell of trouble
    return new RedisCommands(connection, client);
  }

  /** DeviceError for whatever Redis says against it. */
  do<T>(command: (client: Redis) => Promise<T>): Promise<T> {
    if (this.isClosed) return Promise.reject(this.refused(CLOSED));
    return new Promise<T>((resolve, reject) => {
      const fail = (error: Error): void => {
        this.#waiting.delete(fail);
        reject(this.refused(error));
      };
      this.#waiting.add(fail);
      command(this.#client).then((value) => {
        this.#waiting.delete(fail);
        resolve(value);
      }, fail);
    });
  }

  /** An error in the name of this Redis. */
  refused(error: Error): DeviceError {
    return refused(this.#connection, error);
  }

  close(): void {
    this.isClosed = true;
    for (const fail of this.#waiting) fail(new Error('it does not answer'));
    this.#client.disconnect();
  }
}
