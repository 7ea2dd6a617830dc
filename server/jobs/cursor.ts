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
  return Buffer.from(`${place.createdAt} ${place.id}`).toString('base64url')
}

/** Throws `INVALID_REQUEST` for anything that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): ListPlace {
  const [, createdAt, id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (createdAt === undefined || id === undefined) throw unreadableCursor()
  const place = { createdAt: Number(createdAt), id }
  if (encodeCursor(place) !== cursor) throw unreadableCursor()
  return place
}

const PLACE = /^(\d{1,15}) ([0-9a-f-]{36})$/

/** Entries are numbered, so that the cursor of their list is the last position. */
export function encodePosition(position: number): string {
  return Buffer.from(`position ${position}`).toString('base64url')
}

export function decodePosition(cursor: string): number {
  const digits = /^position (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (digits === undefined || encodePosition(Number(digits)) !== cursor) throw unreadableCursor()
  return Number(digits)
}

function unreadableCursor(): ServiceError {
  const message = 'This cursor is not one that this service gave out. Leave it out for the first page.'
  return new ServiceError('INVALID_REQUEST', message, [
    { path: 'cursor', message: 'must be one that this service gave out' },
  ])
}
