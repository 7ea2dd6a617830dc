import { constants, deflateRawSync } from 'node:zlib'

/** A server that responds with zeros, encoded with gzip to a thousandth of their size. */
export interface GzipBomb extends AsyncDisposable {
  readonly url: string
}

export function startGzipBomb(sizeBytes: number): GzipBomb {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    fetch: () =>
      new Response(streamOf(encoded(sizeBytes)), {
        headers: { 'content-encoding': 'gzip', 'content-type': 'application/octet-stream' },
      }),
  })
  return {
    url: `${server.url.origin}/bomb.bin`,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}

/** One member (RFC 1952). Its end is left out: who decodes so far has failed. */
function* encoded(sizeBytes: number): Generator<Uint8Array> {
  yield new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  // After a full flush, the same blocks may follow again.
  const piece = deflateRawSync(new Uint8Array(PIECE_BYTES), { finishFlush: constants.Z_FULL_FLUSH })
  for (let sent = 0; sent < sizeBytes; sent += PIECE_BYTES) yield piece
}

function streamOf(pieces: Generator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const { value, done } = pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
}

const PIECE_BYTES = 64 * 1024 * 1024
