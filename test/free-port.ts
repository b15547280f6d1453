/**
 * A port for a server that a test starts as a program: nobody listens there now. It lies below those that the system
 * gives away with every connection, one of which could be it before the server begins, or while that is gone; and who
 * connects to a server that is gone could meet itself there.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Linux gives away those from 32768 on. */
const [FIRST, END] = [10_000, 32_768];

/** Those that were given before, whose servers may not have begun. */
const given = new Set<number>();

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
