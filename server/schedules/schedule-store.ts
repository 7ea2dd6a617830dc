import { and, asc, count, desc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/open.ts'
import { scheduleRuns, scheduleSources, schedules } from '../db/schedule-schema.ts'
import { jobs } from '../db/schema.ts'
import type { Source } from '../engine/job-order.ts'
import { ServiceError } from '../errors.ts'
import { KEPT_BY_SCHEDULE } from '../jobs/job.ts'
import { moveRetentionEnd } from '../jobs/lifecycle/retention-store.ts'
import { type ListPlace, NEWEST } from '../paging.ts'
import type { Schedule } from './schedule.ts'

/** A schedule with the headers of its jobs, sealed. */
export interface StoredSchedule extends Schedule {
  readonly sealedHeaders: Buffer | null
  /** The last time for which a run has begun or was refused; null before the first. */
  readonly lastDueAt: number | null
}

/** The rows of schedules and of their lists. */
export type ScheduleStore = ReturnType<typeof openScheduleStore>

export function openScheduleStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const ofUser = eq(schedules.userId, sql.placeholder('userId'))
  const olderThan = sql`(${schedules.createdAt}, ${schedules.id}) < (${sql.placeholder('createdAt')}, ${id})`
  const page = orm
    .select()
    .from(schedules)
    .where(and(ofUser, olderThan))
    .orderBy(desc(schedules.createdAt), desc(schedules.id))
    .limit(sql.placeholder('limit'))
    .prepare()
  const total = orm.select({ total: count() }).from(schedules).where(ofUser).prepare()
  const one = orm.select().from(schedules).where(eq(schedules.id, id)).prepare()
  const sourcesOf = orm
    .select({ url: scheduleSources.url, filename: scheduleSources.filename, sha256: scheduleSources.sha256 })
    .from(scheduleSources)
    .where(and(eq(scheduleSources.scheduleId, id), sql`position >= ${sql.placeholder('first')}`))
    .orderBy(asc(scheduleSources.position))
    .limit(BATCH)
    .prepare()
  const withNextRun = orm
    .select({ id: schedules.id })
    .from(schedules)
    .where(isNotNull(schedules.nextRunAt))
    .prepare()
  const due = orm
    .select({ id: schedules.id, userId: schedules.userId })
    .from(schedules)
    .where(and(isNotNull(schedules.nextRunAt), lte(schedules.nextRunAt, sql.placeholder('now'))))
    .orderBy(
      sql`row_number() OVER (PARTITION BY ${schedules.userId} ORDER BY ${schedules.nextRunAt}, ${schedules.id})`,
      asc(schedules.nextRunAt),
      asc(schedules.id),
    )
    .prepare()
  // Runs once per URL.
  const insertSource = db.prepareWrite<null, SourceRow>(
    `INSERT INTO schedule_sources (schedule_id, position, url, filename, sha256)
     VALUES ($scheduleId, $position, $url, $filename, unhex($sha256))`,
  )

  function insertSources(tx: Tx, scheduleId: string, sources: readonly Source[]): void {
    for (const [position, { url, filename, sha256 = null }] of sources.entries())
      insertSource.run(tx, { scheduleId, position, url, filename, sha256 })
  }

  /** The archive is kept from now on, as if a run had made it. */
  function takeArchive(
    tx: Tx,
    { id: scheduleId, userId, createdAt: now }: ScheduleColumns,
    jobId: string,
  ): void {
    const isFree = and(
      eq(jobs.id, jobId),
      eq(jobs.userId, userId),
      eq(jobs.status, 'completed'),
      isNull(jobs.scheduleId),
      isNull(jobs.sweptAt),
      gt(jobs.expiresAt, now),
    )
    const job = tx
      .update(jobs)
      .set({ scheduleId, expiresAt: KEPT_BY_SCHEDULE })
      .where(isFree)
      .returning({ createdAt: jobs.createdAt, endedAt: jobs.completedAt })
      .get()
    if (job === undefined)
      throw new ServiceError(
        'NOT_FOUND',
        'There is no such completed job without a schedule, whose archive is still kept.',
      )
    moveRetentionEnd(tx, jobId, now, KEPT_BY_SCHEDULE)
    tx.insert(scheduleRuns)
      .values({ id: Bun.randomUUIDv7(), scheduleId, jobId, ...job, status: 'completed' })
      .run()
  }

  return {
    /** Null when there is no such schedule. */
    find(scheduleId: string): StoredSchedule | null {
      const row = one.get({ id: scheduleId })
      return row === undefined ? null : scheduleOf(row)
    },
    /** Newest first. */
    page(userId: string, after: ListPlace | null, limit: number): StoredSchedule[] {
      return page.all({ userId, limit, ...(after ?? NEWEST) }).map(scheduleOf)
    },
    count: (userId: string): number => total.get({ userId })?.total ?? 0,
    /** The URLs of a schedule, read from the database in batches. */
    *sources(scheduleId: string): Generator<Source> {
      for (let first = 0; ; first += BATCH) {
        const batch = sourcesOf.all({ id: scheduleId, first })
        yield* batch.map(({ sha256, ...source }) => ({ ...source, sha256: sha256?.toString('hex') ?? null }))
        if (batch.length < BATCH) return
      }
    },
    /** Those of which a run is or becomes due. */
    withNextRun: (): string[] => withNextRun.all().map((schedule) => schedule.id),
    /** Those of which a run is due: of each user the one that has been due longest, then of each the next one, and so on. */
    due: (now: number): { id: string; userId: string }[] => due.all({ now }),

    /**
     * Adds a schedule with its list, and with its first archive if there is one. False, and adds nothing, when its owner has `max`
     * already.
     * @throws ServiceError `NOT_FOUND` when there is no such archive of its owner
     */
    addWithin(
      max: number,
      schedule: ScheduleColumns,
      sources: readonly Source[],
      firstJobId: string | null,
    ): boolean {
      return db.durably((tx) => {
        if ((total.get({ userId: schedule.userId })?.total ?? 0) >= max) return false
        tx.insert(schedules)
          .values({ ...columnsOf(schedule), databaseBytes: bytesOf(schedule, sources) })
          .run()
        insertSources(tx, schedule.id, sources)
        if (firstJobId !== null) takeArchive(tx, schedule, firstJobId)
        return true
      })
    },
    /** Writes a changed schedule, with another list if one is given. False when it was deleted meanwhile. */
    change(schedule: ScheduleColumns, sources: readonly Source[] | null): boolean {
      return db.durably((tx) => {
        const { id: scheduleId, userId, createdAt, ...columns } = columnsOf(schedule)
        const bytes = sources === null ? {} : { databaseBytes: bytesOf(schedule, sources) }
        const changed = tx
          .update(schedules)
          .set({ ...columns, ...bytes })
          .where(eq(schedules.id, scheduleId))
          .returning({ id: schedules.id })
          .get()
        if (changed === undefined) return false
        if (sources === null) return true
        tx.delete(scheduleSources).where(eq(scheduleSources.scheduleId, scheduleId)).run()
        insertSources(tx, scheduleId, sources)
        return true
      })
    },
    /** Sets when the next run is due, and nothing else. */
    setNextRun(scheduleId: string, nextRunAt: number | null): void {
      db.transaction((tx) =>
        tx.update(schedules).set({ nextRunAt }).where(eq(schedules.id, scheduleId)).run(),
      )
    },
    /**
     * Deletes a schedule. The archives that it keeps become ordinary ones, which expire at `expiresAt`. False when it was deleted
     * meanwhile.
     */
    remove(scheduleId: string, now: number, expiresAt: number): boolean {
      return db.freeing((tx) => {
        const kept = tx
          .update(jobs)
          .set({ expiresAt })
          .where(and(eq(jobs.scheduleId, scheduleId), eq(jobs.expiresAt, KEPT_BY_SCHEDULE)))
          .returning({ id: jobs.id })
          .all()
        for (const job of kept) moveRetentionEnd(tx, job.id, now, expiresAt)
        const deleted = tx
          .delete(schedules)
          .where(eq(schedules.id, scheduleId))
          .returning({ id: schedules.id })
        return deleted.get() !== undefined
      })
    },
  }
}

/** What is written of a schedule when it is created or changed. */
export type ScheduleColumns = Omit<StoredSchedule, 'lastDueAt'>

type Row = typeof schedules.$inferSelect

function scheduleOf(row: Row): StoredSchedule {
  const { pageUrl, pageKind, pageMatch, databaseBytes: _, ...columns } = row
  return { ...columns, page: pageUrl === null ? null : { url: pageUrl, kind: pageKind, match: pageMatch } }
}

function columnsOf({ page, ...columns }: ScheduleColumns) {
  return {
    ...columns,
    pageUrl: page?.url ?? null,
    pageKind: page?.kind ?? null,
    pageMatch: page?.match ?? null,
  }
}

/** The bytes of a schedule in the database, its runs included. */
function bytesOf(schedule: ScheduleColumns, sources: readonly Source[]): number {
  const own = Buffer.byteLength(JSON.stringify({ ...schedule, sealedHeaders: null }))
  const list = sources.reduce(
    (sum, { url, filename }) =>
      sum + Buffer.byteLength(url) + Buffer.byteLength(filename ?? '') + SOURCE_BYTES,
    0,
  )
  return own + (schedule.sealedHeaders?.length ?? 0) + list + SCHEDULE_BYTES
}

type SourceRow = Record<'filename' | 'sha256', string | null> & {
  scheduleId: string
  position: number
  url: string
}

/** Rows that are read together. With the longest URLs they are 64 KB, which each client of a long response costs as long as it reads. */
const BATCH = 8
/** With its rows in indexes, and some of its runs. */
const SCHEDULE_BYTES = 2_000
const SOURCE_BYTES = 60
