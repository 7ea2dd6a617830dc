import { expect } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobListItemJson } from '../../server/http/jobs/schemas.ts'
import { checkData, unneededFiles } from './check-data.ts'
import { signInOwner } from './client.ts'
import { startHoldall } from './executable.ts'
import { type Origin, startOrigin } from './origin.ts'
import { readZip } from './read-zip.ts'
import { seededRandom } from './seeded-random.ts'
import { until } from './until.ts'

/** What the responses so far say about a job. */
interface KnownJob {
  status: string
  /** A retry was requested since the last known status. It may not have been executed. */
  wasRetried: boolean
  /** A deletion was requested. It may have been executed, even if the service was killed before it responded. */
  maybeDeleted: boolean
}

/**
 * Runs random steps against the executable: creates, cancels, retries and deletes jobs, lets them expire, and kills the
 * process (SIGKILL) during a request and restarts it. Expects after each step that the list of jobs is consistent with
 * all earlier responses, and at the end that data and archives are consistent.
 * @param killShare the share of steps that are kills, from 0 to 1
 * @returns the number of kills and of jobs
 */
export async function runCrashSequence(
  seed: number,
  steps: number,
  killShare = 0.15,
): Promise<{ kills: number; jobs: number }> {
  const random = seededRandom(seed)
  const upTo = (limit: number) => Math.floor(random() * limit)
  await using origin = await startOrigin()
  await using holdall = await startHoldall({
    args: ['--plans', 'plans.json'],
    prepare: (dir) => writeFileSync(`${dir}/plans.json`, '{"pro":{"min_retention_seconds":1}}'),
  })
  const client = await signInOwner(holdall)
  const known = new Map<string, KnownJob>()
  let created = 0
  /** Creations whose response was lost in a kill. */
  let unansweredCreations = 0

  /** @returns null if the service was killed before it responded */
  async function request(method: string, path: string, body?: object) {
    const response = await client.request(method, path, body).catch(() => null)
    const text = await response?.text().catch(() => null)
    return response === null || text == null ? null : { status: response.status, body: JSON.parse(text) }
  }

  async function create(): Promise<void> {
    const job = {
      urls: Array.from({ length: 1 + upTo(6) }, () => sourceUrl(origin, upTo)),
      fail_on_url_error: random() < 0.5,
      expires_in: [1, 3_600, 3_600][upTo(3)],
    }
    const answer = await request('POST', '/jobs', job)
    created++
    if (answer === null) {
      unansweredCreations++
      return
    }
    expect(answer.status).toBe(201)
    known.set(answer.body.job_id, { status: 'pending', wasRetried: false, maybeDeleted: false })
  }

  async function change(action: 'cancel' | 'retry' | 'delete'): Promise<void> {
    // Mostly chooses a job that allows the action.
    const candidates =
      random() < 0.8
        ? [...known].filter(([, { status }]) => action !== 'retry' || status === 'failed')
        : [...known]
    const [id, job] = candidates[upTo(candidates.length)] ?? []
    if (id === undefined || job === undefined) return
    if (action === 'retry') job.wasRetried = true
    if (action === 'delete') job.maybeDeleted = true
    const retry = { from_checkpoint: random() < 0.5, skip_failed: random() < 0.5 }
    const answer =
      action === 'delete'
        ? await request('DELETE', `/jobs/${id}`)
        : await request('POST', `/jobs/${id}/${action}`, action === 'retry' ? retry : undefined)
    if (answer === null) return
    if (answer.status === 200 && action === 'delete') known.delete(id)
    if (answer.status === 200 && action === 'cancel')
      Object.assign(job, { status: 'failed', wasRetried: false })
    if (answer.status !== 200) {
      // The response to an earlier deletion was lost, or the job has ended since.
      expect(answer.body.error.code).toBe(
        job.maybeDeleted && answer.status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST',
      )
      if (answer.status === 404) known.delete(id)
    }
  }

  /** Expects that the list of jobs is consistent with all earlier responses. */
  async function checkList(): Promise<void> {
    const listed = await listAll(request)
    for (const item of listed) {
      const job = known.get(item.id) ?? unansweredCreation(item)
      expectAllowedChange(job, item)
      Object.assign(job, { status: item.status, wasRetried: false })
    }
    for (const [id, job] of known) {
      if (listed.some((item) => item.id === id)) continue
      expect([id, job.maybeDeleted]).toEqual([id, true])
      known.delete(id)
    }
  }

  /** Adds a job that was created although the response was lost. */
  function unansweredCreation({ id, status }: JobListItemJson): KnownJob {
    expect(unansweredCreations--).toBeGreaterThan(0)
    const job = { status, wasRetried: false, maybeDeleted: false }
    known.set(id, job)
    return job
  }

  const act = async (choice: number) => {
    await (choice < 0.45 ? create() : change(choice < 0.55 ? 'cancel' : choice < 0.75 ? 'retry' : 'delete'))
  }

  // Chosen in advance: how many random numbers a step takes depends on which jobs have ended by then.
  const plan = Array.from({ length: steps }, () => ({ isKill: random() < killShare, choice: random() }))
  for (const { isKill, choice } of plan) {
    if (isKill) {
      const inFlight = act(choice)
      // At any moment of the request: nothing outside shows how far it is.
      await Bun.sleep(upTo(30))
      await holdall.kill()
      await inFlight
      await holdall.restart()
    } else await act(choice)
    await checkList()
  }
  await untilAllEnded(checkList, known)
  // After a start, the service sweeps what has expired, and deletes the files that no job needs.
  await holdall.kill()
  await holdall.restart()
  await checkList()
  await until('no unneeded file is left', () => unneededFiles(holdall.dataDir).length === 0)
  expect(await holdall.stop()).toBe(0)
  checkData(holdall.dataDir)
  const archives = join(holdall.dataDir, 'archives')
  for (const name of readdirSync(archives)) if (name.endsWith('.zip')) await readZip(join(archives, name))
  return { kills: plan.filter(({ isKill }) => isKill).length, jobs: created }
}

type Request = (
  method: string,
  path: string,
) => Promise<{ status: number; body: ReturnType<typeof JSON.parse> } | null>

/** Reads all pages of the list. Expects them to be newest first, without repetition, and as long as `total`. */
async function listAll(request: Request): Promise<JobListItemJson[]> {
  const jobs: JobListItemJson[] = []
  let cursor: string | null = null
  let total: number
  do {
    const page = await request('GET', `/jobs?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`)
    if (page?.status !== 200) throw new Error(`The list responds ${page?.status}.`)
    jobs.push(...page.body.jobs)
    total = page.body.meta.total
    cursor = page.body.meta.next_cursor
  } while (cursor !== null)
  expect(jobs).toHaveLength(total)
  const order = jobs.map(({ created_at, id }) => `${created_at} ${id}`)
  expect(order).toEqual([...new Set(order)].toSorted().toReversed())
  const stats = await request('GET', '/jobs/stats')
  expect(stats?.body.stats.total).toBe(total)
  return jobs
}

/** Expects that a job that has ended keeps its status unless it was retried, and that its fields match its status. */
function expectAllowedChange(before: KnownJob, now: JobListItemJson): void {
  if (before.status === 'completed') expect([now.id, now.status]).toEqual([now.id, 'completed'])
  if (before.status === 'failed' && !before.wasRetried)
    expect([now.id, now.status]).toEqual([now.id, 'failed'])
  expect([now.id, now.failure !== undefined]).toEqual([now.id, now.status === 'failed'])
  expect([now.id, now.completed_at !== null]).toEqual([now.id, now.status === 'completed'])
  expect([now.id, now.expires_at !== null]).toEqual([now.id, ['completed', 'failed'].includes(now.status)])
}

function sourceUrl(origin: Origin, upTo: (limit: number) => number): string {
  const seed = 1 + upTo(20)
  const paths = [
    `/bytes/${1_000 + upTo(50_000)}/small.bin?seed=${seed}`,
    `/bytes/${2_000_000 + upTo(2_000_000)}/large.bin?seed=${seed}`,
    `/bytes/10000/slow.bin?delay_ms=${100 + upTo(400)}`,
    `/bytes/30000/unknown.bin?framing=chunked&seed=${seed}`,
    '/status/404',
  ]
  return origin.url(paths[upTo(paths.length)] ?? '/')
}

async function untilAllEnded(
  checkList: () => Promise<void>,
  known: ReadonlyMap<string, KnownJob>,
): Promise<void> {
  const hasEnded = ({ status }: KnownJob) => status === 'completed' || status === 'failed'
  const haveEnded = async () => {
    await checkList()
    return [...known.values()].every(hasEnded)
  }
  await until('all jobs have ended', haveEnded, { everyMs: 50 })
}
