/** Where Redis is, by `--redis`. Errors show its protocol or its host alone: the rest may be part of a password. */
import { UsageError } from './usage-error.js';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: object;
}

export function connectionOf(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^rediss?:$/.test(url.protocol))
    throw new UsageError(`--redis: expected redis://HOST:PORT, got ${url ? `${url.protocol}//…` : 'no address'}`);
  if (!/^\/?\d*$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw new UsageError(
      '--redis: expected a number of a database behind HOST:PORT/ or nothing; a password has / ? # as %2F %3F %23',
    );
  const [username, password] = [url.username, url.password].map(decoded) as [string, string];
  return {
    ...{ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) },
    db: Number(url.pathname.slice(1) || 0),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError('--redis: expected a name and a password with %25 for each %');
  }
}
