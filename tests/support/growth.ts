import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, linkSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TestService } from './service.ts'

/** What a service holds after some days of steady use, and how fast it is. */
export interface Growth {
  readonly databaseBytes: number
  readonly logBytes: number
  readonly archiveFiles: number
  readonly jobs: number
  readonly entries: number
  readonly deliveries: number
  /** How long the sweep of the expired jobs has taken. */
  readonly sweepMs: number
  /** The slowest response of each request, in milliseconds. */
  readonly slowest: Readonly<Record<string, number>>
}

const DAY_MS = 86_400_000
const REPEATS = 5
/** What counts for a job without URLs and entries. */
const FORGOTTEN_BYTES = 1_010
/** What a service without settings keeps, and the day until the expiry. */
const KEPT_DETAILS_DAYS = 31

/** The rows of a job and of its notifier event, and its file: they are kept here while the service sweeps them. */
export interface Sample {
  readonly createdAt: number
  readonly rows: readonly { readonly table: string; readonly row: Row }[]
  readonly path: string
}

type Row = Readonly<Record<string, string | number | null>>

export function takeSample({ dataDir }: TestService, jobId: string): Sample {
  using db = new Database(join(dataDir, 'holdall.db'), { readonly: true })
  const path = join(dataDir, 'sample.zip')
  linkSync(join(dataDir, 'archives', `${jobId}.zip`), path)
  const rows = TABLES.flatMap(({ table, of }) =>
    db
      .query<Row, [string]>(`SELECT * FROM ${table} WHERE ${of}`)
      .all(jobId)
      .map((row) => ({ table, row })),
  )
  return { createdAt: Number(rows[0]?.row.created_at), rows, path }
}

/** Inserts the jobs of a day, each a copy of the sample with a file. */
export function insertDay({ dataDir }: TestService, sample: Sample, jobs: number, startsAt: number): void {
  copyJobs(dataDir, sample, jobs, startsAt, 'with files')
}

/** Lets a day pass by the clock of the service, which then sweeps. @returns how long that took */
export async function sweepAfterDay(service: TestService): Promise<number> {
  service.advance(DAY_MS)
  const startedMs = performance.now()
  await service.app.sweeper.sweepNow()
  return performance.now() - startedMs
}

/** Inserts what a service has kept of the days before: the rows of its jobs, and the details of the last of them. */
export function insertHistory(
  { dataDir }: TestService,
  sample: Sample,
  jobs: number,
  days: number,
  endsAt: number,
): void {
  for (let ago = days; ago > 0; ago--)
    copyJobs(dataDir, sample, jobs, endsAt - ago * DAY_MS, ago > KEPT_DETAILS_DAYS ? 'forgotten' : 'expired')
}

export async function measure(service: TestService, sweepMs: number): Promise<Growth> {
  const slowest: Record<string, number> = {}
  for (const path of ['/health', '/jobs?limit=100', '/jobs?status=failed', '/jobs/stats', '/service']) {
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const startedMs = performance.now()
      const { status, body } = await service.request('GET', path)
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
      slowest[path] = Math.max(slowest[path] ?? 0, performance.now() - startedMs)
    }
  }
  using db = new Database(join(service.dataDir, 'holdall.db'), { readonly: true })
  const countOf = (table: string) =>
    db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? 0
  const sizeOf = (name: string) => statSync(join(service.dataDir, name), { throwIfNoEntry: false })?.size ?? 0
  return {
    databaseBytes: sizeOf('holdall.db') + sizeOf('holdall.db-wal'),
    logBytes: service.logged.reduce((bytes, line) => bytes + line.length + 1, 0),
    archiveFiles: readdirSync(join(service.dataDir, 'archives')).length,
    jobs: countOf('jobs'),
    entries: countOf('entries'),
    deliveries: countOf('notifier_deliveries'),
    sweepMs,
    slowest,
  }
}

/** `expired` jobs have no file any more; `forgotten` ones no URLs, entries and deliveries either. */
type Age = 'with files' | 'expired' | 'forgotten'

/** Inserts copies, with other ids and at other times. The triggers count them. */
function copyJobs(dataDir: string, sample: Sample, count: number, dayStartsAt: number, age: Age): void {
  using db = new Database(join(dataDir, 'holdall.db'))
  db.run('PRAGMA busy_timeout = 10000')
  db.run('PRAGMA synchronous = OFF')
  db.run('PRAGMA cache_size = -200000')
  const inserts = sample.rows
    .filter(({ table }) => age !== 'forgotten' || table === 'jobs' || table === 'retention_periods')
    .map(({ table, row }) => {
      const { id: _id, ...rest } = row
      const kept = table === 'retention_periods' ? rest : row
      const columns = Object.keys(kept)
      const values = columns.map(() => '?').join()
      const statement = db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${values})`)
      return (id: string, shift: number) =>
        statement.run(...columns.map((name) => copied({ table, name, id, shift, age }, kept[name] ?? null)))
    })
  db.transaction(() => {
    for (let number = 0; number < count; number++) {
      const at = dayStartsAt + Math.floor((number * DAY_MS) / count)
      const id = Bun.randomUUIDv7('hex', at)
      for (const insert of inserts) insert(id, at - sample.createdAt)
      if (age === 'with files') linkSync(sample.path, join(dataDir, 'archives', `${id}.zip`))
    }
  })()
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  syncFile(join(dataDir, 'holdall.db'))
}

/** What was written without a sync must not wait for the first sync of the service, which would take longer than any of its own. */
function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

interface Copied {
  readonly table: string
  readonly name: string
  readonly id: string
  readonly shift: number
  readonly age: Age
}

function copied({ table, name, id, shift, age }: Copied, value: Row[string] | null): Row[string] {
  if (name === 'job_id') return id
  if (name === 'id') return table === 'jobs' ? id : `${table} ${id}`
  if (name === 'event_id') return `notifier_events ${id}`
  if (name === 'details' && age === 'forgotten') return 'gone'
  if (name === 'database_bytes' && table === 'jobs' && age === 'forgotten') return FORGOTTEN_BYTES
  if (name === 'swept_at' && age !== 'with files') return shift
  return name.endsWith('_at') && value !== null ? Number(value) + shift : (value ?? null)
}

const TABLES: readonly { table: string; of: string }[] = [
  { table: 'jobs', of: 'id = ?' },
  { table: 'sources', of: 'job_id = ?' },
  { table: 'entries', of: 'job_id = ?' },
  { table: 'retention_periods', of: 'job_id = ?' },
  { table: 'notifier_events', of: 'job_id = ?' },
  { table: 'notifier_deliveries', of: 'event_id = (SELECT id FROM notifier_events WHERE job_id = ?)' },
]
