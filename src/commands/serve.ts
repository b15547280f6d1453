/**
 * `wiedemann serve [--port N]`: the page in a browser of this machine, at 127.0.0.1 alone, until a signal ends it.
 *
 * The headers isolate the page, so that its threads share memory, and the policy lets it load its own files and
 * nothing else. A request that names another host is refused, since a name of somebody else's may lead here.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options } from './arguments.js';
import { catchSignals } from './signals.js';
import { UsageError } from './usage-error.js';

const HOST = '127.0.0.1';

/** Where the page is as a rule: checkpoints and choices that a browser keeps belong to an address. */
const USUAL_PORT = 8471;

const POLICY = [
  ...["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "style-src 'self'"],
  ...["img-src 'self'", "connect-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.txt': 'text/plain; charset=utf-8',
};

/** `folder` has the built page. */
export async function run(words: readonly string[], options: Options, folder: URL): Promise<void> {
  if (words.length > 0) throw new UsageError(`expected no words, got ${words.join(' ')}`);
  const port = portOption(options['port'] as string | undefined);
  const server = createServer(answerFrom(filesOf(fileURLToPath(folder))));
  const caught = catchSignals();
  try {
    const address = await listen(server, port);
    process.stderr.write(`serve: ${address} until Ctrl-C\n`);
    await new Promise<never>((_, reject) => {
      const end = (): void => reject(caught.signal.reason);
      caught.signal.addEventListener('abort', end, { once: true });
      if (caught.signal.aborted) end();
    });
  } finally {
    caught.release();
    server.closeAllConnections();
    server.close();
  }
}

/** null: the usual one, or any where that is taken. */
function portOption(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65536) return Number(text);
  throw new UsageError(`--port: expected a number from 0, any, to 65535, got ${text}`);
}

async function listen(server: Server, port: number | null): Promise<string> {
  const begin = (wish: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(wish, HOST, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
  try {
    await begin(port ?? USUAL_PORT).catch((error) => {
      if (port !== null) throw error;
      return begin(0);
    });
  } catch (error) {
    throw new UsageError(`--port: expected a free port, got ${port}: ${(error as NodeJS.ErrnoException).code}`);
  }
  return `http://${HOST}:${(server.address() as AddressInfo).port}/`;
}

/** The files of the page by their addresses, read once. */
function filesOf(folder: string): ReadonlyMap<string, { readonly type: string; readonly bytes: Uint8Array }> {
  if (!existsSync(join(folder, 'index.html')))
    throw new UsageError('expected the page in dist/page, got none: npm run page builds it');
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = names.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    const address = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/');
    return [address, { type: TYPES[extname(name)] ?? 'application/octet-stream', bytes: readFileSync(path) }] as const;
  });
  const all = new Map(files);
  // A folder's address is that of its index.
  for (const [address, file] of files) {
    if (address.endsWith('/index.html')) all.set(address.slice(0, -'index.html'.length), file);
  }
  return all;
}

function answerFrom(files: ReturnType<typeof filesOf>): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const refuse = (status: number): void => {
      response.writeHead(status, { ...HEADERS, 'Content-Type': TYPES['.txt'] }).end(`${status}\n`);
    };
    request.resume();
    if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')) return refuse(403);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
    const file = files.get((request.url ?? '/').split('?')[0]!);
    if (file === undefined) return refuse(404);
    response.writeHead(200, { ...HEADERS, 'Content-Type': file.type, 'Content-Length': file.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
  };
}
