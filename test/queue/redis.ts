/**
 * A Redis of the tests' own, on the loopback of this machine, which keeps nothing unless asked to; ended by its number.
 *
 * Where Debian's redis-server is missing, tests are skipped with `redisMissing` as the reason; with REQUIRE_REDIS set,
 * as continuous integration sets it, that is a failure.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { freePort } from '../free-port.js';

const version = spawnSync('redis-server', ['--version']);

/** Why there are no tests of the queue; null where there are. */
export const redisMissing: string | null =
  version.error === undefined ? null : 'no redis-server: `apt install redis-server` brings it';

if (redisMissing && process.env['REQUIRE_REDIS']) throw new Error(`REQUIRE_REDIS is set, and there is ${redisMissing}`);
if (redisMissing) console.warn(`tests of the queue are skipped: ${redisMissing}`);

export interface Redis {
  readonly url: string;
  /** Stops it where it is: it takes connections, and answers nothing. */
  hang(): void;
  end(): Promise<void>;
}

/**
 * `folder` : where it works. `keeps` : whether another one, in the same folder and at the same port, has its data.
 * `password` : what it asks for, '' for nothing. `more` : options of redis-server.
 */
export async function startRedis(
  folder: string,
  { port = 0, keeps = false, password = '', more = [] as readonly string[] } = {},
): Promise<Redis> {
  for (let tries = 1; port === 0; tries++) {
    const options = { port: await freePort(), keeps, password, more };
    // Another program may take the port before it does.
    const started = await startRedis(folder, options).catch((error: Error) => error);
    if (!(started instanceof Error)) return started;
    if (tries === 3) throw started;
  }
  const kept = ['--save', '', '--appendonly', keeps ? 'yes' : 'no', '--dir', folder];
  const words = ['--bind', '127.0.0.1', '--port', `${port}`, '--requirepass', password, ...kept, ...more];
  const server = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (chunk) => {
      said += chunk;
      if (/Ready to accept connections/.test(said)) resolve();
    });
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`redis-server ended: ${said.slice(-500)}`)));
  });
  return { url: `redis://127.0.0.1:${port}`, hang: () => server.kill('SIGSTOP'), end: () => ending(server) };
}

/** A Redis Cluster of three nodes, each with a third of the places for keys. */
export async function startCluster(folder: string): Promise<Redis[]> {
  const start = async (j: number): Promise<Redis> => {
    const names = ['--cluster-config-file', `nodes-${j}.conf`, '--cluster-port', `${await freePort()}`];
    return startRedis(folder, { more: ['--cluster-enabled', 'yes', ...names] });
  };
  const nodes = await Promise.all([0, 1, 2].map(start));
  const places = nodes.map(({ url }) => new URL(url).host);
  const made = spawnSync('redis-cli', ['--cluster', 'create', ...places, '--cluster-yes'], { encoding: 'utf8' });
  if (!/All 16384 slots covered/.test(made.stdout)) throw new Error(`redis-cli: ${made.stdout}${made.stderr}`);
  // One node knows it by then.
  const knows = (place: string): boolean => {
    const words = ['-u', `redis://${place}`, 'cluster', 'info'];
    const { stdout } = spawnSync('redis-cli', words, { encoding: 'utf8' });
    return /^cluster_state:ok\r?$/m.test(stdout) && /^cluster_slots_ok:16384\r?$/m.test(stdout);
  };
  while (!places.every(knows)) await new Promise((resolve) => setTimeout(resolve, 50));
  return nodes;
}

async function ending(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL'); // what it keeps is in its file by then
  await ended;
}
