/** A process with a GPU of its own, as the process that starts it sees it, under Node: requests, and its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Sequence } from '../../algorithms/block-wiedemann/krylov.js';
import type {
  KeptShare,
  SchurParts,
  SequenceDevice,
  SequenceTask,
} from '../../algorithms/block-wiedemann/krylov-columns.js';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import type { RowDevice } from '../../kernels/executors/row-split.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { errorFromMessage } from '../questions/error-transport.js';
import { arraysOf, sizesOf } from './poured-matrix.js';
import type { FromGpuProcess, MatrixUse, ToGpuProcess } from './process.js';
import { PIECE } from './processes.js';
import { processorTime } from './processor-time.node.js';
import { RemoteSequence } from './remote-sequence.js';

/** Characters at the end of a process's stderr that are searched for its error. */
const HEARD = 4096;

/** Seconds for a process to end that is killed. */
const LAST = 30;

/** Share of a silence in which a busy process has computed; on a loaded machine it gets as much. */
const BUSY = 1 / 100;

interface Request {
  /** Whether a message was the last that is waited for. */
  readonly take: (message: FromGpuProcess) => boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** One such process; it gets one request at a time. */
export class RemoteProcess implements SequenceDevice, RowDevice {
  readonly #name: string;
  readonly #maxBytes: number | null;
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  readonly #ended: Promise<void>;
  #request: Request | undefined;
  #sequence: RemoteSequence | undefined;
  #lost: Error | undefined;
  #said = ''; // on stderr
  #beginnings = 1; // of itself, a matrix, a sequence: it may read nothing else meanwhile
  #probes = 0; // since the last sign of life
  #computed = 0; // seconds of processor time by then

  /**
   * By a command that keeps it to the GPU `bus`; null for a GPU in software. `name` is for messages. A run that is kept
   * ends with a StoppedError where a signal that asks for that ends the process, as before it catches signals.
   */
  constructor(
    name: string,
    bus: string | null,
    [program, ...words]: readonly string[],
    maxBytes: number | null = null,
    isKept = false,
  ) {
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#child = spawn(program!, words, { stdio: ['pipe', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' });
    this.#child.stdin!.on('error', () => {}); // of a process that has ended, which tells why
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-HEARD);
    });
    this.#child.on('message', (message) => this.#receive(message as FromGpuProcess));
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', (error) => {
        this.#lose(`could not be started: ${error.message}`);
        resolve();
      });
      // When stderr has been read too.
      this.#child.on('close', (code, signal) => {
        if (isKept && (signal === 'SIGTERM' || signal === 'SIGUSR1')) this.#fail(new StoppedError());
        else this.#lose(`ended: ${signal ?? (lastRemark(this.#said) || `exit ${code}`)}`);
        resolve();
      });
    });
    this.#ready = this.ask(null, (message) => {
      if (message.kind !== 'ready') return false;
      if (message.bus === bus && message.software === (bus === null)) return true;
      throw new DeviceError(`gpus: ${name} has opened ${message.bus ?? message.name} instead`);
    });
    this.#ready.catch(() => undefined); // the first use of the process throws a failure
  }

  hold(matrix: ResidueMatrix, field: WordPrime, schur?: SchurParts): Promise<void> {
    return this.#send(matrix, field, 'sequence', schur);
  }

  holdRows(rows: ResidueMatrix, field: WordPrime, areBits: boolean): Promise<void> {
    return this.#send(rows, field, areBits ? 'bits' : 'rows');
  }

  async multiply(transposed: boolean, x: Uint32Array, width: number): Promise<Uint32Array> {
    let product: Uint32Array | undefined;
    await this.ask({ kind: 'multiply', transposed, x, width }, (message) => {
      if (message.kind !== 'product') return false;
      product = message.y;
      return true;
    });
    return product!;
  }

  async #send(matrix: ResidueMatrix, field: WordPrime, use: MatrixUse, schur?: SchurParts): Promise<void> {
    await this.#ready;
    this.#beginnings++;
    const sizes = sizesOf(matrix, schur);
    const message: ToGpuProcess = { kind: 'matrix', p: field.p, ...sizes, use, maxBytes: this.#maxBytes };
    // A sequence is asked for later; what is set up meanwhile goes on there.
    const isReady = use === 'sequence' ? this.tell(message) : this.ask(message, ({ kind }) => kind === 'kept');
    isReady.catch(() => undefined); // what is thrown below is as good
    for (const words of arraysOf(matrix, schur)) {
      for (let at = 0; at < words.length; at += PIECE) await this.#pour(words.subarray(at, at + PIECE));
    }
    await isReady;
  }

  /** Resolves when these words are on their way, beside the messages: by those they would be copied twice. */
  #pour({ buffer, byteOffset, byteLength }: Uint32Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.stdin!.write(new Uint8Array(buffer, byteOffset, byteLength), (error) => {
        if (!error) {
          this.#probes = 0; // it reads
          resolve();
        } else if (this.#lost) reject(this.#lost);
        else this.#ended.then(() => reject(this.#lost), reject);
      });
    });
  }

  async start(task: SequenceTask, kept?: KeptShare, remark?: (line: string) => void): Promise<Sequence> {
    this.#beginnings++;
    await this.ask({ kind: 'start', task, kept }, (message) => {
      if (message.kind === 'remark') remark?.(message.line);
      if (message.kind !== 'started') return false;
      this.#sequence = new RemoteSequence(this, task); // earlier messages belong to the sequence before
      return true;
    });
    return this.#sequence!;
  }

  /** Its sequence ends. */
  forget(): void {
    this.#sequence = undefined;
    // If it has ended, nothing is left to free.
    this.tell({ kind: 'free' }).catch(() => undefined);
  }

  /** Sends a message and waits for answers, until `take` says that one was the last. */
  ask(message: ToGpuProcess | null, take: Request['take']): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#lost) throw this.#lost;
      this.#request = { take, resolve, reject };
      if (message) this.tell(message).catch(reject);
    });
  }

  /** Resolves when the message is on its way. */
  tell(message: ToGpuProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#lost) throw this.#lost;
      this.#child.send(message, (error) => {
        // The process reads no more; its end tells why.
        if (error) this.#ended.then(() => reject(this.#lost), reject);
        else resolve();
      });
    });
  }

  /**
   * Asks for a sign of life, and ends a process of which the last `most` calls, `milliseconds` apart, have had none.
   * What begins something shows it by what it computes, too, where that is counted.
   */
  probe(most: number, milliseconds: number): void {
    if (this.#lost) return;
    const silence = (most * milliseconds) / 1000;
    if (this.#beginnings > 0 && this.#hasComputed(BUSY * silence)) this.#probes = 0;
    if (this.#probes++ < most) {
      this.tell({ kind: 'probe' }).catch(() => undefined); // its end is told
      return;
    }
    this.#lose(`has not answered for ${silence} s and was ended; the same command goes on`);
    this.#child.kill('SIGKILL');
  }

  /** So many seconds since the last sign of life. */
  #hasComputed(busy: number): boolean {
    const seconds = processorTime(this.#child.pid!);
    if (seconds !== null && this.#probes > 0 && seconds - this.#computed < busy) return false;
    this.#computed = seconds ?? 0;
    return true;
  }

  /** Null once it has ended; a line where it has not in `seconds`, as one that a driver holds. */
  async end(seconds = LAST): Promise<string | null> {
    this.#lose('was ended');
    this.#child.kill('SIGKILL');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      const line = `gpus: ${this.#name} (number ${this.#child.pid}) has not ended ${seconds} s after SIGKILL`;
      timer = setTimeout(resolve, 1000 * seconds, line);
    });
    const left = await Promise.race([this.#ended.then(() => null), late]);
    clearTimeout(timer);
    return left;
  }

  #receive(message: FromGpuProcess): void {
    this.#probes = 0;
    if (message.kind === 'ready' || message.kind === 'kept' || message.kind === 'started') this.#beginnings--;
    if (message.kind === 'failure') {
      const error = errorFromMessage(message.error);
      error.message = `${this.#name}: ${error.message}`;
      this.#fail(error);
      return;
    }
    if (message.kind === 'blocks') {
      this.#sequence?.take(message);
      return;
    }
    const request = this.#request;
    if (!request) return; // it was given up
    try {
      if (!request.take(message)) return;
      this.#request = undefined;
      request.resolve();
    } catch (error) {
      this.#request = undefined;
      request.reject(error);
    }
  }

  #lose(how: string): void {
    this.#fail(new DeviceError(`device gpu: ${this.#name} ${how}`));
  }

  #fail(error: Error): void {
    this.#lost ??= error;
    this.#child.stdin!.destroy(); // nobody may read it to its end
    this.#request?.reject(this.#lost);
    this.#request = undefined;
    this.#sequence?.lose(this.#lost);
  }
}

/** The error that Node ended with, whose lines go on with a stack; else the last line. */
function lastRemark(text: string): string {
  return /^\w*Error\b.*$/m.exec(text)?.[0] ?? text.trim().split('\n').at(-1)!;
}
