/** The first bytes of a stream, and the stream with them. */

export interface Peeked {
  readonly head: Uint8Array; // `count` bytes, or all there are
  readonly bytes: AsyncGenerator<Uint8Array>; // closing it closes the stream
}

export async function peek(chunks: AsyncGenerator<Uint8Array>, count: number): Promise<Peeked> {
  const taken: Uint8Array[] = [];
  let known = 0;
  while (known < count) {
    const { value, done } = await chunks.next();
    if (done) break;
    taken.push(value.length < count ? value.slice() : value);
    known += value.length;
  }
  return { head: concat(taken, Math.min(known, count)), bytes: resume(taken, chunks) };
}

/** Chunks already taken, then the rest. */
async function* resume(taken: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* taken;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, length - at);
    out.set(part, at);
    at += part.length;
  }
  return out;
}
