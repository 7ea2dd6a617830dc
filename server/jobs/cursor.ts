import { ServiceError } from '../errors.ts'

/** A job's place in the list, newest first. Ids order jobs of one millisecond. */
export interface ListPlace {
  readonly createdAt: number
  readonly id: string
}

/**
 * A cursor names the last row of a page by what the list is ordered by, not by a count of rows, so that inserts
 * and deletes neither repeat nor hide a job. Clients are to treat it as opaque.
 */
export function encodeCursor(place: ListPlace): string {
  return encode(`${place.createdAt} ${place.id}`)
}

/** Throws `INVALID_REQUEST` for anything that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): ListPlace {
  const [, createdAt, id] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(decode(cursor)) ?? []
  if (createdAt === undefined || id === undefined) throw unreadableCursor()
  return { createdAt: Number(createdAt), id }
}

/** Entries are numbered, so that the cursor of their list is the last position. */
export function encodePosition(position: number): string {
  return encode(`position ${position}`)
}

export function decodePosition(cursor: string): number {
  const digits = /^position (\d{1,9})$/.exec(decode(cursor))?.[1]
  if (digits === undefined) throw unreadableCursor()
  return Number(digits)
}

/** Ends with a CRC-32, so that a cursor that was changed is refused, and does not lead to some other place. */
function encode(place: string): string {
  const check = Bun.hash.crc32(place).toString(16).padStart(CHECK_DIGITS, '0')
  return Buffer.from(place + check).toString('base64url')
}

function decode(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString().slice(0, -CHECK_DIGITS)
  if (encode(place) !== cursor) throw unreadableCursor()
  return place
}

const CHECK_DIGITS = 8

function unreadableCursor(): ServiceError {
  const message = 'This cursor is not one that this service gave out. Leave it out for the first page.'
  return new ServiceError('INVALID_REQUEST', message, [
    { path: 'cursor', message: 'must be one that this service gave out' },
  ])
}
