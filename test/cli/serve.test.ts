/** `wiedemann serve`: what it answers to whom, its headers, and its ends. */
import { spawn } from 'node:child_process';
import { get, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, run } from './run.js';

interface Served {
  readonly port: number;
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
  end(signal: NodeJS.Signals): void;
}

/** Settles once it listens. */
function start(): Promise<Served> {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, said }));
  });
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const port = /^serve: http:\/\/127\.0\.0\.1:(\d+)\/ until Ctrl-C\n/.exec(said);
      if (port) resolve({ port: Number(port[1]), ended, end: (signal) => child.kill(signal) });
    });
    void ended.then(({ code }) => reject(new Error(`exit ${code}: ${said}`)));
  });
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask(port: number, path: string, host?: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(
      { host: '127.0.0.1', port, path, method, agent: false, ...(host && { headers: { host } }) },
      async (response) => {
        let body = '';
        for await (const chunk of response) body += chunk;
        resolve({ status: response.statusCode!, headers: response.headers, body });
      },
    );
    request.on('error', reject);
  });
}

describe('a server', () => {
  let served: Served;
  beforeAll(async () => {
    served = await start();
  });
  afterAll(() => served?.end('SIGTERM'));

  test('sends the page with headers that isolate it and a policy without inline code', async () => {
    const { status, headers, body } = await ask(served.port, '/');
    expect(status).toBe(200);
    expect(body).toMatch(/^<!doctype html>/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
    });
    const policy = headers['content-security-policy'] as string;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
    expect(policy).toMatch(/connect-src 'none'/);
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/);
  });

  test('sends every file that the page names', async () => {
    const { body } = await ask(served.port, '/?x=1');
    const names = Array.from(body.matchAll(/(?:src|href)="\.\/([^"]+)"/g), ([, name]) => name!);
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) expect((await ask(served.port, `/${name}`)).status, name).toBe(200);
  });

  test.each(['/../package.json', '/%2e%2e/package.json', '/nothing', '//etc/passwd', '/assets'])(
    'has nothing at %s',
    async (path) => {
      expect((await ask(served.port, path)).status).toBe(404);
    },
  );

  test('refuses other hosts and other methods', async () => {
    expect((await ask(served.port, '/', 'example.org')).status).toBe(403);
    expect((await ask(served.port, '/', 'localhost:1')).status).toBe(200);
    expect((await ask(served.port, '/', undefined, 'POST')).status).toBe(405);
    expect(await ask(served.port, '/', undefined, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  test('a port that is taken, or none, is told in one line', async () => {
    const taken = await run(['serve', '--port', `${served.port}`]);
    expect(taken).toMatchObject({ code: 2, stdout: '' });
    expect(taken.stderr).toBe(`serve: --port: expected a free port, got ${served.port}: EADDRINUSE\n`);
    const none = await run(['serve', '--port', '70000']);
    expect(none).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'serve: --port: expected a number from 0, any, to 65535, got 70000\n',
    });
  });
});

test.each([
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
] as const)('%s ends it, an open connection or not', async (signal, code, word) => {
  const served = await start();
  // A browser keeps its connection.
  await ask(served.port, '/');
  served.end(signal);
  expect(await served.ended).toEqual({
    code,
    said: `serve: http://127.0.0.1:${served.port}/ until Ctrl-C\nserve: ${word}\n`,
  });
});
