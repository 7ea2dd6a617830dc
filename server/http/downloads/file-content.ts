import type { ArchiveContent } from '../../archive-store/archive-content.ts'
import type { ByteRange } from '../../downloads/range.ts'
import type { Content } from './send-file.ts'

/**
 * The bytes of an archive, or a range of them, as the body of a response. Bun sends a file with sendfile. For a response with
 * status 206, it ignores `Range` and sends the given slice.
 */
export async function contentOf(
  { path, pieces }: ArchiveContent,
  range: ByteRange | null,
  sizeBytes: number,
): Promise<Content> {
  const { start, end } = range ?? { start: 0, end: sizeBytes }
  if (path === null) return streamedPieces(pieces(start, end - start), end - start)
  const file = Bun.file(path)
  return range === null ? file : file.slice(start, end)
}

/**
 * Pieces as the body of a response. The first one is awaited, so that an error before it gets a response of its own. Bun sends a
 * stream in chunks, without `Content-Length`.
 */
export async function streamedPieces(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  sizeBytes: number,
): Promise<Content> {
  const first = await pieces.next()
  if (first.done) return new Uint8Array(0)
  if (first.value.length === sizeBytes) {
    await pieces.return()
    return first.value
  }
  return streamOf(first.value, pieces)
}

/** Asks for the next piece when the client has read the one before. */
function streamOf(
  first: Uint8Array<ArrayBuffer>,
  rest: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      try {
        const { value, done } = await rest.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error)
      }
    },
    async cancel() {
      await rest.return()
    },
  })
}
