/** The errors of a Redis, by the place where it should be, without a password: one line, and one exit code. */
import type { ConnectionOptions } from 'bullmq';
import { DeviceError } from '../../kernels/errors/device-error.js';

/** What is said where Redis says nothing: as where it has as many clients as it takes. */
export const CLOSED = new Error('it closes the connection');

/** Of one that is not there, or lets nobody in. */
export function unreached(connection: ConnectionOptions, { message }: Error): DeviceError {
  return new DeviceError(`redis${placeOf(connection)}: expected a Redis: ${message}`);
}

/** What may be a client of a single node of a Redis Cluster, which has some of the keys. */
interface MaybeOfCluster {
  readonly isCluster: boolean; // whether it knows all nodes
  info(section: string): Promise<string>;
}

/** Throws where a client that is ready is one of a single node of a Redis Cluster, as far as it is allowed to know. */
export async function checkWhole(client: MaybeOfCluster): Promise<void> {
  const info = client.isCluster ? '' : await client.info('cluster').catch(() => '');
  if (/^cluster_enabled:1/m.test(info)) throw OF_CLUSTER;
}

/** A script of BullMQ has the keys of a whole queue, which braces in its name keep in one place. */
const OF_CLUSTER = new Error(
  "it is of a Redis Cluster, where wiedemann/bullmq takes a Cluster of ioredis, and a queue's name in braces",
);

/** A Redis that forgets nothing has no room for anything new. */
export const FULL = new Error('its memory is full: with a larger `maxmemory`, `wiedemann queue submit` goes on');

/** Of a command, or of one in a script, as versions before 7 say it. */
export const isFull = (error: Error): boolean => /(^|-)OOM /.test(firstOf(error).message);

/** Keys of a command, or of one in a script, are not where it was sent. */
export const isElsewhere = (error: Error): boolean =>
  /(^|-)(CROSSSLOT|MOVED) |should belong to the same slot/.test(firstOf(error).message);

/** Of several commands in one, the first that was refused says why. */
function firstOf(error: Error): Error {
  return (error as { previousErrors?: [Error] }).previousErrors?.[0] ?? error;
}

/** Of one that refuses a command, or lacks what it had. */
export function refused(connection: ConnectionOptions, error: Error): DeviceError {
  const { message } = isFull(error) ? FULL : isElsewhere(error) ? OF_CLUSTER : firstOf(error);
  return new DeviceError(`redis${placeOf(connection)}: ${message.split('\n', 1)[0]!}`);
}

/** '' where a client, as of several nodes, does not tell. */
function placeOf(connection: ConnectionOptions): string {
  const options = 'connect' in connection ? connection['options'] : { host: '127.0.0.1', port: 6379, ...connection };
  if (URL.canParse(options?.url)) return ` ${new URL(options.url).host}`;
  const { host, port } = options ?? {};
  if (host === undefined) return '';
  return ` ${host.includes(':') ? `[${host}]` : host}:${port}`;
}
