/** Runs the built command line as a process of its own, as a user does. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/bin/cli.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Spawned {
  readonly input?: string | Uint8Array;
  readonly nodeOptions?: readonly string[];
  /** Environment variables that differ; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether standard input stays open behind `input`. */
  readonly open?: boolean;
  /** The working directory. */
  readonly cwd?: string;
  /** Another copy of the program. */
  readonly cli?: string;
  /** Called when the process has taken its input, all but what a pipe holds. */
  readonly taken?: (kill: (signal: NodeJS.Signals) => void, pid: number) => void;
}

export function run(
  args: readonly string[],
  { input, nodeOptions = [], env = {}, open = false, cwd, cli = CLI, taken }: Spawned = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeOptions, cli, ...args], {
      stdio: 'pipe',
      cwd,
      env: { ...process.env, ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // A process that fails before it reads closes its standard input: that is its right.
    child.stdin.on('error', () => {});
    child.stdin.write(input ?? '', () => taken?.((signal) => child.kill(signal), child.pid!));
    if (!open) child.stdin.end();
  });
}

/** The program where no file may be larger than `blocks` of 512 bytes; `stdout` is an open file's number. */
export function limited(blocks: number, words: readonly string[], stdout: number | 'pipe' = 'pipe'): Promise<Ended> {
  return new Promise((resolve) => {
    const shell = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, CLI, ...words];
    const child = spawn('sh', shell, { stdio: ['ignore', stdout, 'pipe'] });
    const ended = { stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk) => {
      ended.stdout += chunk;
    });
    child.stderr!.on('data', (chunk) => {
      ended.stderr += chunk;
    });
    child.on('close', (code) => resolve({ code, ...ended }));
  });
}
