import { and, eq, gte, inArray, lt, type SQL, sql, sum } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { retentionPeriods, usageHours, users } from '../db/schema.ts'

/** The disk space that the archives and checkpoints of each user take over time. */
export type UsageStore = ReturnType<typeof openUsageStore>

const HOUR_MS = 3_600_000
/** The most retention periods that one transaction deletes, so that other writers need not wait long. */
const MAX_DELETED_PERIODS = 1_000

export function openUsageStore(db: Database) {
  const { orm } = db
  const userId = sql.placeholder('userId')
  const from = sql.placeholder('from')
  const to = sql.placeholder('to')

  const bytesBefore = orm
    .select({ bytes: exact(sql`coalesce(sum(${usageHours.bytes}), 0)`) })
    .from(usageHours)
    .where(and(eq(usageHours.userId, userId), lt(usageHours.hour, from)))
    .prepare()
  const hours = orm
    .select({
      hour: usageHours.hour,
      bytes: exact(usageHours.bytes),
      lowByteMs: exact(usageHours.lowByteMs),
      highByteMs: exact(usageHours.highByteMs),
    })
    .from(usageHours)
    .where(and(eq(usageHours.userId, userId), gte(usageHours.hour, from), lt(usageHours.hour, to)))
    .prepare()
  const databaseBytes = orm
    .select({ bytes: users.databaseBytes })
    .from(users)
    .where(eq(users.id, userId))
    .prepare()
  const begun = changes(retentionPeriods.storedAt)
  const ended = changes(retentionPeriods.removedAt)

  /** Sums size x time until `to` over the retention periods that begin or end between two times of the same hour. */
  function changes(at: typeof retentionPeriods.storedAt | typeof retentionPeriods.removedAt) {
    const restMs = sql`(${to} - ${at})`
    return orm
      .select({
        lowByteMs: exact(sql`coalesce(sum((${retentionPeriods.sizeBytes} & ${LOW_BITS}) * ${restMs}), 0)`),
        highByteMs: exact(
          sql`coalesce(sum((${retentionPeriods.sizeBytes} >> ${LOW_BIT_COUNT}) * ${restMs}), 0)`,
        ),
      })
      .from(retentionPeriods)
      .where(and(eq(retentionPeriods.userId, userId), gte(at, from), lt(at, to)))
      .prepare()
  }

  return {
    /** What the user's jobs, retention periods and webhook events take in the database. */
    databaseBytes: (ownerId: string): number => databaseBytes.get({ userId: ownerId })?.bytes ?? 0,
    /**
     * Deletes rows that are not needed to compute usage since `time`: a batch of retention periods that ended before it.
     * Merges the rows of all hours before it into one. False when no such period is left.
     */
    deleteSome(ownerId: string, time: number): boolean {
      const hour = Math.floor(time / HOUR_MS)
      return db.transaction((tx) => {
        const isBefore = and(eq(usageHours.userId, ownerId), lt(usageHours.hour, hour))
        const merged = tx
          .select({
            userId: sql`${ownerId}`.as('user_id'),
            hour: sql`${hour - 1}`.as('hour'),
            bytes: sum(usageHours.bytes).as('bytes'),
            lowByteMs: sql`0`.as('low_byte_ms'),
            highByteMs: sql`0`.as('high_byte_ms'),
          })
          .from(usageHours)
          .where(isBefore)
          .having(sql`count(*) > 1`)
        tx.insert(usageHours)
          .select(merged)
          .onConflictDoUpdate({
            target: [usageHours.userId, usageHours.hour],
            set: { bytes: sql`excluded.bytes`, lowByteMs: 0, highByteMs: 0 },
          })
          .run()
        tx.delete(usageHours)
          .where(and(eq(usageHours.userId, ownerId), lt(usageHours.hour, hour - 1)))
          .run()
        const ended = tx
          .select({ id: retentionPeriods.id })
          .from(retentionPeriods)
          .where(and(eq(retentionPeriods.userId, ownerId), lt(retentionPeriods.removedAt, hour * HOUR_MS)))
          .limit(MAX_DELETED_PERIODS)
        const deleted = tx
          .delete(retentionPeriods)
          .where(inArray(retentionPeriods.id, ended))
          .returning({ id: retentionPeriods.id })
          .all()
        return deleted.length === MAX_DELETED_PERIODS
      })
    },
    /**
     * The exact sum of bytes x milliseconds on disk between two times; `from` is the start of an hour. Reads one row per
     * whole hour, and for the hour of `to` the retention periods themselves.
     */
    storedByteMs(ownerId: string, from: number, to: number): bigint {
      const firstHour = from / HOUR_MS
      const lastHour = Math.floor(to / HOUR_MS)
      const start = bytesBefore.get({ userId: ownerId, from: firstHour })
      let byteMs = BigInt(start?.bytes ?? 0) * BigInt(to - from)
      for (const { hour, bytes, ...sums } of hours.all({ userId: ownerId, from: firstHour, to: lastHour })) {
        byteMs += BigInt(bytes) * BigInt(to - hour * HOUR_MS) - byteMsOf(sums)
      }
      const inLastHour = { userId: ownerId, from: lastHour * HOUR_MS, to }
      return byteMs + byteMsOf(begun.get(inLastHour)) - byteMsOf(ended.get(inLastHour))
    },
  }
}

/** Bytes x milliseconds overflow 64 bits. So the sums for the low bits of the size and for the other bits are separate. */
const LOW_BIT_COUNT = 20
const LOW_BITS = 2 ** LOW_BIT_COUNT - 1

function byteMsOf(sums: { lowByteMs: string; highByteMs: string } | undefined): bigint {
  return sums === undefined ? 0n : BigInt(sums.lowByteMs) + (BigInt(sums.highByteMs) << BigInt(LOW_BIT_COUNT))
}

/** Reads an integer as text, since a JavaScript number is exact only up to 2^53. */
function exact(
  value: SQL | typeof usageHours.bytes | typeof usageHours.lowByteMs | typeof usageHours.highByteMs,
) {
  return sql<string>`CAST(${value} AS TEXT)`
}
