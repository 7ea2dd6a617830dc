import { ServiceError } from './errors.ts'

/** The place of an item in a list by age. Ids order items of the same millisecond. */
export interface ListPlace {
  readonly createdAt: number
  readonly id: string
}

/** Sorts before every item of a list that begins with the newest one. */
export const NEWEST: ListPlace = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

/** A page that a client asks for: the first one if the cursor is null. */
export interface PageRequest {
  readonly cursor: string | null
  readonly limit: number
}

/**
 * The first `limit` of the rows that follow a cursor, and the cursor of the next page; null at the end. Read one row more than
 * `limit`, so that the end is known.
 */
export function pageOf<T extends ListPlace>(
  list: string,
  rows: readonly T[],
  limit: number,
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(list, last) : null }
}

/**
 * A cursor contains the sort key of the last item of a page, not a count of items. So no item appears twice or is missed when
 * others are created or deleted. Clients treat the cursor as opaque. It belongs to one list, of which every function here takes
 * the name, as in `deliveries of <notifier id>`.
 */
export function encodeCursor(list: string, { createdAt, id }: ListPlace): string {
  return encode(list, `${createdAt} ${id}`)
}

/** Throws `INVALID_REQUEST` for anything that `encodeCursor` did not create for this list. */
export function decodeCursor(list: string, cursor: string): ListPlace {
  const [, createdAt, id] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(decode(list, cursor)) ?? []
  if (createdAt === undefined || id === undefined) throw unreadableCursor()
  return { createdAt: Number(createdAt), id }
}

/** The cursor of a list of entries contains the position of the last entry of the page. */
export function encodePosition(list: string, position: number): string {
  return encode(list, `position ${position}`)
}

export function decodePosition(list: string, cursor: string): number {
  const digits = /^position (\d{1,9})$/.exec(decode(list, cursor))?.[1]
  if (digits === undefined) throw unreadableCursor()
  return Number(digits)
}

/**
 * A cursor ends with a CRC-32 of its list and its place, so that a changed cursor, or one of another list, is refused and never
 * taken for another position.
 */
function encode(list: string, place: string): string {
  const check = Bun.hash.crc32(`${list}\n${place}`).toString(16).padStart(CHECK_DIGITS, '0')
  return Buffer.from(place + check).toString('base64url')
}

function decode(list: string, cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString().slice(0, -CHECK_DIGITS)
  if (encode(list, place) !== cursor) throw unreadableCursor()
  return place
}

const CHECK_DIGITS = 8

function unreadableCursor(): ServiceError {
  const message =
    'This cursor is not one that this service gave out for this list. Leave it out for the first page.'
  return new ServiceError('INVALID_REQUEST', message, [
    { path: 'cursor', message: 'must be one that this service gave out for this list' },
  ])
}
