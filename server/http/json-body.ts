import { ServiceError } from '../errors.ts'

/** Room for 5,000 URLs of the greatest length. */
export const MAX_JOB_BODY_BYTES = 48 * 1024 * 1024
export const MAX_BODY_BYTES = 1024 * 1024

/**
 * A body parser for routes: JSON of at most `maxBytes`; null when there is no body, since Elysia would go on with a
 * parser of its own after undefined.
 */
export function jsonBody(maxBytes: number) {
  return async ({ request }: { request: Request }): Promise<unknown> => {
    const bytes = await readBytes(request, maxBytes)
    if (bytes.length === 0) return null
    assertJson(request.headers.get('content-type'))
    try {
      return JSON.parse(UTF8.decode(bytes))
    } catch {
      throw new ServiceError('INVALID_REQUEST', 'The body is not JSON in UTF-8.')
    }
  }
}

/** For routes to which a body means nothing. Elysia's own parsers would fail on one that is not what its type says. */
export function ignoredBody(): null {
  return null
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw tooLarge(maxBytes)
    return request.bytes()
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function assertJson(contentType: string | null): void {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase()
  if (mediaType === undefined || mediaType === '' || mediaType === 'application/json') return
  if (/^application\/[\w.-]+\+json$/.test(mediaType)) return
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON (Content-Type: application/json).')
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', `The body may have at most ${maxBytes / 1024 / 1024} MiB.`)
}
