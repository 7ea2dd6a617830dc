/**
 * The body of a response of the store, which may send more than was asked for.
 * @returns null when it is longer than `maxBytes`; the rest is not received
 */
export async function bodyUpTo(
  response: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let sizeBytes = 0
  for await (const piece of response.body ?? []) {
    sizeBytes += piece.length
    // Leaving the loop cancels the body.
    if (sizeBytes > maxBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces, sizeBytes)
}

/**
 * Where the object ends of which a response contains a range; null when it is not the range that was asked for. The range ends earlier
 * where the object does. https://www.rfc-editor.org/rfc/rfc9110#section-15.3.7
 */
export function rangeIn(
  response: Response,
  start: number,
  end: number,
): { readonly objectEnd: number } | null {
  const [, first, last, size] = CONTENT_RANGE.exec(response.headers.get('content-range') ?? '') ?? []
  const isAsked = response.status === 206 && Number(first) === start && Number(last) < end
  if (!isAsked) return null
  return { objectEnd: size === '*' ? Number(last) + 1 : Number(size) }
}

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/
