/**
 * The web's objects that the library takes from a caller: declarations without lib.dom's names, for programs that are
 * compiled without them. Blob, URL, ReadableStream and AbortSignal of any platform fit.
 */

/** As ReadableStream<Uint8Array>. */
export interface ByteStream {
  getReader(): ByteStreamReader;
}

export interface ByteStreamReader {
  read(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}

/** As Blob, or a File of a page. */
export interface BytesOfBlob {
  readonly size: number;
  readonly type: string;
  stream(): ByteStream;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** As URL. */
export interface Address {
  readonly href: string;
  readonly protocol: string;
  readonly pathname: string;
}

/** As Response. */
export interface FetchedBytes {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly bodyUsed: boolean;
  readonly body: ByteStream | null;
}

/** As AbortSignal. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
