/** The error of a Redis that is not there, or lets nobody in: where it should be, and why not, without a password. */
import type { ConnectionOptions } from 'bullmq';
import { DeviceError } from '../../kernels/errors/device-error.js';

/** What is said where Redis says nothing: as where it has as many clients as it takes. */
export const CLOSED = new Error('it closes the connection');

export function unreached(connection: ConnectionOptions, { message }: Error): DeviceError {
  return new DeviceError(`redis${placeOf(connection)}: expected a Redis: ${message}`);
}

/** '' where a client, as of several nodes, does not tell. */
function placeOf(connection: ConnectionOptions): string {
  const options = 'connect' in connection ? connection['options'] : { host: '127.0.0.1', port: 6379, ...connection };
  if (URL.canParse(options?.url)) return ` ${new URL(options.url).host}`;
  const { host, port } = options ?? {};
  if (host === undefined) return '';
  return ` ${host.includes(':') ? `[${host}]` : host}:${port}`;
}
