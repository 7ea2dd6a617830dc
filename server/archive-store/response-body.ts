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
 * Whether a response contains a range of an object. It ends earlier where the object does.
 * https://www.rfc-editor.org/rfc/rfc9110#section-15.3.7
 */
export function isRange(response: Response, start: number, end: number): boolean {
  const [, first, last] = CONTENT_RANGE.exec(response.headers.get('content-range') ?? '') ?? []
  return response.status === 206 && Number(first) === start && Number(last) < end
}

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(?:\d+|\*)$/
