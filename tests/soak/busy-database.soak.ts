import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { signInOwner } from '../support/client.ts'
import { addUser, EXECUTABLE, type Holdall, startHoldall } from '../support/executable.ts'
import { insertFailedJobs } from '../support/many-jobs.ts'
import { startOrigin } from '../support/origin.ts'
import { PROGRAM_FILES } from '../support/service.ts'

/** Measures the response times of `GET /health` until `end` resolves. */
async function healthUntil(holdall: Holdall, end: Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = []
  let isOver = false
  void end.then(() => {
    isOver = true
  })
  while (!isOver) {
    const startedMs = performance.now()
    const response = await fetch(`${holdall.address}/health`)
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    tookMs.push(performance.now() - startedMs)
    await Bun.sleep(10)
  }
  return tookMs.sort((a, b) => a - b)
}

function print(what: string, tookMs: readonly number[]): void {
  const at = (share: number) => tookMs.at(Math.floor(share * (tookMs.length - 1)))?.toFixed(1)
  console.log(
    `${what}: health ${at(0.5)} ms at the median, ${at(0.99)} at the 99th percentile, ${at(1)} at most`,
  )
}

test('while another program locks the database for 12 seconds, no running job fails and /health responds quickly', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const urlsOf = (job: number) =>
    Array.from({ length: 40 }, (_, n) => {
      const pace = n % 4 === 0 ? 5_000 : 40_000
      return origin.url(`/bytes/40000/${n}.bin?job=${job}&bytes_per_second=${pace}`)
    })
  const jobIds = await Promise.all(
    Array.from({ length: 8 }, (_, job) => client.createJob({ urls: urlsOf(job) })),
  )
  for (const jobId of jobIds) await client.until(jobId, ({ status }) => status === 'processing')

  using sqlite = new Sqlite(join(holdall.dataDir, 'holdall.db'))
  sqlite.run('PRAGMA busy_timeout = 10000')
  sqlite.run('BEGIN IMMEDIATE')
  const tookMs = await healthUntil(holdall, Bun.sleep(12_000))
  sqlite.run('ROLLBACK')
  print('locked for 12 s', tookMs)
  expect(tookMs.at(Math.floor(0.99 * tookMs.length))).toBeLessThan(200)
  for (const jobId of jobIds) {
    expect(await client.untilEnded(jobId)).toMatchObject({ status: 'completed', file_count: 40 })
  }
}, 120_000)

test('/health responds quickly while a user with a hundred thousand URLs is removed', async () => {
  await using holdall = await startHoldall()
  addUser(holdall, 'ann')
  addJobs(holdall)
  const removal = Bun.spawn([EXECUTABLE, 'user', 'remove', 'ann', '--data', holdall.dataDir])
  const tookMs = await healthUntil(holdall, removal.exited)
  print('a hundred thousand URLs removed', tookMs)
  expect(await removal.exited).toBe(0)
  expect(tookMs.at(Math.floor(0.99 * tookMs.length))).toBeLessThan(200)
  using sqlite = new Sqlite(join(holdall.dataDir, 'holdall.db'), { readonly: true })
  expect(sqlite.query('SELECT count(*) AS jobs FROM jobs').get()).toEqual({ jobs: 0 })
}, 120_000)

/** Gives ann 20 failed jobs of 5,000 URLs. */
function addJobs({ dataDir }: Holdall): void {
  using db = openDatabase(join(dataDir, 'holdall.db'), PROGRAM_FILES.migrationsDir)
  const annId = openAccountStore(db).userNamed('ann')?.id ?? ''
  insertFailedJobs(db, annId, { jobCount: 20, urlCount: 5_000, expiresAt: 9_000_000_000_000_000 })
  db.orm.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
}
