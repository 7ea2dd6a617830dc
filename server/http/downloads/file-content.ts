import type { ArchiveContent } from '../../archive-store/archive-content.ts'
import type { ByteRange } from '../../bytes.ts'
import type { Content, Pace } from './send-file.ts'

/**
 * The bytes of an archive, or a range of them, as the body of a response. Bun sends a file with sendfile. For a response with
 * status 206, it ignores `Range` and sends the given slice.
 */
export async function contentOf(
  { path, pieces }: ArchiveContent,
  range: ByteRange | null,
  sizeBytes: number,
  pace: Pace,
): Promise<Content> {
  const { start, end } = range ?? { start: 0, end: sizeBytes }
  if (path === null) return streamedPieces(pieces(start, end - start), end - start, pace)
  const file = Bun.file(path)
  return range === null ? file : file.slice(start, end)
}

/**
 * Pieces as the body of a response. The first one is awaited, so that an error before it gets a response of its own. Bun sends a
 * stream in chunks, without `Content-Length`.
 */
export async function streamedPieces(pieces: PiecesOfBody, sizeBytes: number, pace: Pace): Promise<Content> {
  await pace.nextTurn()
  const first = await pieces.next()
  if (first.done) return new Uint8Array(0)
  if (first.value.length === sizeBytes) {
    await pieces.return()
    return first.value
  }
  return streamOf(first.value, pieces, pace)
}

/** Short pieces together, as long as one part at least: each part costs a turn of the event loop. */
export async function* joined(pieces: PiecesOfBody, partBytes: number): PiecesOfBody {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    bytes += piece.length
    if (bytes < partBytes) continue
    yield Buffer.concat(held)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(held)
}

type PiecesOfBody = AsyncGenerator<Uint8Array<ArrayBuffer>, void>

/** Asks for the next piece when the client has read the one before. */
function streamOf(
  first: Uint8Array<ArrayBuffer>,
  rest: PiecesOfBody,
  { memory, nextTurn }: Pace,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      try {
        await nextTurn()
        const { value, done } = await rest.next()
        if (done) return controller.close()
        memory.read(value.length)
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
      }
    },
    async cancel() {
      await rest.return()
    },
  })
}
