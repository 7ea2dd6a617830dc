import { ServiceError } from './errors.ts'

/** The position of a job in the list, newest first. Ids order jobs of the same millisecond. */
export interface ListPlace {
  readonly createdAt: number
  readonly id: string
}

/**
 * A cursor contains the sort key of the last job of a page, not a count of jobs. So no job appears twice or is missed when
 * other jobs are created or deleted. Clients treat the cursor as opaque.
 */
export function encodeCursor(place: ListPlace): string {
  return encode(`${place.createdAt} ${place.id}`)
}

/** Throws `INVALID_REQUEST` for anything that `encodeCursor` did not create. */
export function decodeCursor(cursor: string): ListPlace {
  const [, createdAt, id] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(decode(cursor)) ?? []
  if (createdAt === undefined || id === undefined) throw unreadableCursor()
  return { createdAt: Number(createdAt), id }
}

/** The cursor of a list of entries contains the position of the last entry of the page. */
export function encodePosition(position: number): string {
  return encode(`position ${position}`)
}

export function decodePosition(cursor: string): number {
  const digits = /^position (\d{1,9})$/.exec(decode(cursor))?.[1]
  if (digits === undefined) throw unreadableCursor()
  return Number(digits)
}

/** A cursor ends with a CRC-32, so that a changed cursor is refused and never taken for another position. */
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
