import { Database as Sqlite } from 'bun:sqlite'
import { expect } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobListItemJson } from '../../server/http/jobs/schemas.ts'
import { checkData } from '../support/check-data.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { until } from '../support/until.ts'

/** A service on which operations are tried repeatedly, with an origin that behaves as each try needs. */
export interface Stage extends AsyncDisposable {
  readonly holdall: Holdall
  readonly origin: Origin
  readonly client: Client
  /** A number for a new try, which makes its URLs and names unique. */
  nextTry(): number
  jobs(): Promise<JobListItemJson[]>
  archivePath(jobId: string): string
  /** Starts the threads that a job needs. */
  warmUp(): Promise<void>
  /** Waits for all jobs to end. */
  settle(): Promise<void>
  /** Expects that each file and each list belongs to a job, and that each archive has its file. */
  checkFiles(): Promise<void>
  deleteJobs(): Promise<void>
  /** Stops the service, checks that its data is consistent, and starts it again. */
  checkData(): Promise<void>
}

/** Many times the interval between two sweeps, for a busy machine. */
const SWEEP_DEADLINE_MS = 60_000

export async function openStage(): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const origin = stack.use(await startOrigin())
  const holdall = stack.use(
    await startHoldall({
      args: ['--plans', 'plans.json', '--rate-limit', '0'],
      prepare: (dir) => writeFileSync(`${dir}/plans.json`, '{"pro":{"min_retention_seconds":1}}'),
    }),
  )
  const client = await signInOwner(holdall)
  const archives = join(holdall.dataDir, 'archives')
  /** Lists of deleted jobs. */
  const hasLeftLists = () => {
    using sqlite = new Sqlite(join(holdall.dataDir, 'holdall.db'), { readonly: true, strict: true })
    return sqlite.query('SELECT 1 FROM detail_deletions').get() !== null
  }
  const filesOfJobs = () => readdirSync(archives).filter((name) => /^[0-9a-f-]{36}\.zip/.test(name))
  let tries = 0

  const stage: Omit<Stage, keyof AsyncDisposable> = {
    holdall,
    origin,
    client,
    nextTry: () => ++tries,
    async jobs() {
      const response = await client.request('GET', '/jobs?limit=100')
      const { jobs }: { jobs: JobListItemJson[] } = JSON.parse(await response.text())
      return jobs
    },
    archivePath: (jobId) => join(archives, `${jobId}.zip`),
    async warmUp() {
      const jobId = await client.createJob({ urls: [origin.url(`/bytes/20000/warm.bin?try=${++tries}`)] })
      expect(await client.untilEnded(jobId)).toMatchObject({ status: 'completed' })
    },
    async settle() {
      const haveEnded = async () =>
        (await stage.jobs()).every(({ status }) => status === 'completed' || status === 'failed')
      await until('all jobs have ended', haveEnded, { everyMs: 20 })
    },
    async checkFiles() {
      const jobs = await stage.jobs()
      const jobIds = new Set(jobs.map(({ id }) => id))
      const now = new Date().toISOString()
      // A schedule keeps archives without an expiry.
      const kept = jobs.filter((job) => job.status === 'completed' && (job.expires_at ?? '9999') > now)
      const expected = new Set(kept.map(({ id }) => `${id}.zip`))
      const isLeft = (name: string) => {
        const jobId = name.slice(0, 36)
        return !jobIds.has(jobId) || (expected.has(`${jobId}.zip`) && !expected.has(name))
      }
      const left = () => [...filesOfJobs().filter(isLeft), ...(hasLeftLists() ? ['lists of URLs'] : [])]
      const isClean = () => left().length === 0
      // The next sweep deletes what the disk refused to delete.
      await until('nothing is left of deleted jobs', isClean, {
        deadlineMs: SWEEP_DEADLINE_MS,
        everyMs: 50,
      }).finally(() => expect(left()).toEqual([]))
      const files = filesOfJobs()
      expect([...expected].filter((name) => !files.includes(name))).toEqual([])
    },
    async deleteJobs() {
      for (const { id } of await stage.jobs())
        expect((await client.request('DELETE', `/jobs/${id}`)).status).toBe(200)
    },
    async checkData() {
      try {
        expect(await holdall.stop()).toBe(0)
        checkData(holdall.dataDir)
      } finally {
        await holdall.restart()
      }
    },
  }
  const parts = stack.move()
  return { ...stage, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}
