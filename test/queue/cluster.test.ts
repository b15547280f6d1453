/**
 * A queue on a Redis Cluster, by a Cluster of ioredis, and what is said where a client knows one node alone; and a
 * Redis behind a name, a password and TLS.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis as Client, Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorker, submit } from '../../src/clusters/bullmq.js';
import { generated } from '../cli/generated.js';
import { run } from '../cli/run.js';
import { type Redis, redisMissing, startCluster, startRedis } from './redis.js';

const NO_CLUSTER =
  "it is of a Redis Cluster, where wiedemann/bullmq takes a Cluster of ioredis, and a queue's name in braces";

const RANK = 57; // of ch 4 4 2
const isOpensslThere = spawnSync('openssl', ['version']).error === undefined;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-cluster-'));
  writeFileSync(join(folder, 'a.sms'), generated('ch', '4', '4', '2'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function planned(name: string): Promise<string> {
  const here = join(folder, name);
  const words = ['run', 'plan', join(folder, 'a.sms'), '-p', '65521', '--parts', '2', '-o', here, '-q'];
  expect(await run(words)).toMatchObject({ code: 0, stderr: '' });
  return here;
}

describe.skipIf(redisMissing)('a Redis Cluster', () => {
  let nodes: Redis[] = [];
  beforeAll(async () => {
    nodes = await startCluster(folder);
  });
  afterAll(async () => {
    for (const node of nodes) await node.end();
  });

  test.each([true, false])('serves a queue whose name is in braces; uploaded: %s', async (upload) => {
    const { hostname: host, port } = new URL(nodes[0]!.url);
    const open = (): Cluster =>
      new Cluster([{ host, port: Number(port) }], { redisOptions: { maxRetriesPerRequest: null } });
    const clients = [open(), open()] as const;
    const worker = startWorker({ connection: clients[0], queue: `{q-${upload}}`, threads: 1 });
    const here = await planned(`by-cluster-${upload}`);
    const submitted = await submit(here, { connection: clients[1], queue: `{q-${upload}}`, upload });
    expect(await submitted.answer()).toMatchObject({ value: RANK });
    await submitted.close();
    await worker.stop();
    for (const client of clients) client.disconnect();
  });

  test('a queue without braces is refused in one line', async () => {
    const { hostname: host, port } = new URL(nodes[0]!.url);
    const connection = new Cluster([{ host, port: Number(port) }], { redisOptions: { maxRetriesPerRequest: null } });
    const here = await planned('no-braces');
    await expect(submit(here, { connection })).rejects.toThrow(`redis: ${NO_CLUSTER}`);
    connection.disconnect();
  });

  test('the command line says at once that it has met one, whatever the node', async () => {
    const here = await planned('by-node');
    for (const { url } of nodes) {
      const stderr = `queue: redis ${new URL(url).host}: expected a Redis: ${NO_CLUSTER}\n`;
      for (const words of [['worker'], ['submit', here], ['submit', here, '--upload']])
        expect(await run(['queue', ...words, '--redis', url])).toEqual({ code: 69, stdout: '', stderr });
    }
  });
});

describe.skipIf(redisMissing ?? !isOpensslThere)('a Redis that asks for a name and a password', () => {
  const PASSWORD = 's3cr3t/p@ss %#?';
  let [strict, certificate]: [Redis | undefined, string] = [undefined, ''];
  let tls = 0; // its port
  beforeAll(async () => {
    const [key, crt] = ['key.pem', 'crt.pem'].map((name) => join(folder, name)) as [string, string];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', crt],
      ...subject,
    ]);
    expect(made.status).toBe(0);
    certificate = crt;
    const files = ['--tls-cert-file', crt, '--tls-key-file', key, '--tls-ca-cert-file', crt];
    const other = await startRedis(folder);
    tls = Number(new URL(other.url).port);
    await other.end(); // its port is free
    strict = await startRedis(folder, {
      password: 'of the default user',
      more: ['--tls-port', `${tls}`, '--tls-auth-clients', 'no', ...files],
    });
    const admin = new Client(Number(new URL(strict.url).port), { password: 'of the default user' });
    await admin.call('ACL', 'SETUSER', 'worker', 'on', `>${PASSWORD}`, '~*', '&*', '+@all');
    await admin.quit();
  });
  afterAll(() => strict?.end());

  test.each(['redis', 'rediss'])('serves a run over %s://, and no line has the password', async (protocol) => {
    const port = protocol === 'rediss' ? tls : new URL(strict!.url).port;
    const at = (password: string): string[] => [
      '--redis',
      `${protocol}://worker:${encodeURIComponent(password)}@localhost:${port}`,
    ];
    const env = { NODE_EXTRA_CA_CERTS: certificate };
    const here = await planned(protocol);
    const own = ['--name', protocol];
    expect(await run(['queue', 'submit', here, ...at(PASSWORD), ...own, '--upload', '--no-wait'], { env })).toEqual({
      ...{ code: 0, stdout: '', stderr: '' },
    });
    let end = (): void => {};
    const working = run(['queue', 'worker', ...at(PASSWORD), ...own, '--threads', '1'], {
      env,
      taken: (kill) => {
        end = () => kill('SIGTERM');
      },
    });
    const answer = await run(['queue', 'submit', here, ...at(PASSWORD), ...own, '--upload'], { env });
    expect(answer).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
    end();
    const worked = await working;
    expect([worked.code, worked.stderr]).toEqual([0, expect.stringContaining('verify: done')]);
    const wrong = await run(['queue', 'worker', ...at('wr0ng'), ...own], { env });
    expect([wrong.code, wrong.stderr]).toEqual([69, expect.stringMatching(/^queue: redis localhost:\d+: .*WRONGPASS/)]);
    for (const { stdout, stderr } of [answer, worked, wrong]) expect(stdout + stderr).not.toMatch(/s3cr3t|wr0ng/);
  });

  test('a certificate that nobody trusts is one line', async () => {
    const url = `rediss://worker:${encodeURIComponent(PASSWORD)}@localhost:${tls}`;
    const { code, stderr } = await run(['queue', 'worker', '--redis', url]);
    expect([code, stderr]).toEqual([
      69,
      expect.stringMatching(/^queue: redis localhost:\d+: expected a Redis: self-signed certificate\n$/),
    ]);
  });
});

test.each([
  ['redis://worker:1234/rest@host', 'expected a number of a database'],
  ['redis://worker:1234?rest@host', 'expected a number of a database'],
  ['redis://worker:1234#rest@host', 'expected a number of a database'],
  ['redis://worker:12%rest@host', 'expected a name and a password with %25 for each %'],
  ['redis://worker:rest/12@host', 'expected redis://HOST:PORT, got no address'],
])('what is wrong in %s is told without a part of the password', async (url, why) => {
  const { code, stdout, stderr } = await run(['queue', 'worker', '--redis', url]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^queue: --redis: [^\n]+\n$/);
  expect(stderr).toContain(why);
  expect(stderr).not.toMatch(/12|rest/);
});
