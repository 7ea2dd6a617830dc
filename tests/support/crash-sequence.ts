import { expect } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobListItemJson } from '../../server/http/job-schemas.ts'
import { checkData } from './check-data.ts'
import { clientOf, signIn } from './client.ts'
import { type Holdall, startHoldall } from './executable.ts'
import { type Origin, startOrigin } from './origin.ts'
import { readZip } from './read-zip.ts'
import { seededRandom } from './seeded-random.ts'

/** What is known of a job from the answers that came. */
interface KnownJob {
  status: string
  /** A retry was asked for since the status was seen; whether it was done may be unknown. */
  wasRetried: boolean
  /** A deletion was asked for, and the service died before it answered. */
  isInDoubt: boolean
}

/**
 * Does random things to the built program, one after another: creates, cancels, retries and deletes jobs, lets them
 * expire, kills it (SIGKILL) in the middle of a request and starts it again. After each step its answers must fit all
 * earlier ones, and at the end its data must hold together and every archive be whole.
 * @param killShare how many of the steps are kills, of 1
 * @returns how often it was killed and how many jobs there were
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
  const { key } = await signIn(await holdall.signInLink())
  const client = clientOf(() => holdall.address, key)
  const known = new Map<string, KnownJob>()
  let created = 0
  /** Creations that the service died on before it answered. */
  let createdInDoubt = 0

  /** Null when the service died before it answered. */
  async function ask(method: string, path: string, body?: object) {
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
    const answer = await ask('POST', '/jobs', job)
    created++
    if (answer === null) {
      createdInDoubt++
      return
    }
    expect(answer.status).toBe(201)
    known.set(answer.body.job_id, { status: 'pending', wasRetried: false, isInDoubt: false })
  }

  async function change(what: 'cancel' | 'retry' | 'delete'): Promise<void> {
    // Mostly one that it can be done to, so that it is done.
    const fit =
      random() < 0.8
        ? [...known].filter(([, { status }]) => what !== 'retry' || status === 'failed')
        : [...known]
    const [id, job] = fit[upTo(fit.length)] ?? []
    if (id === undefined || job === undefined) return
    if (what === 'retry') job.wasRetried = true
    if (what === 'delete') job.isInDoubt = true
    const retry = { from_checkpoint: random() < 0.5, skip_failed: random() < 0.5 }
    const answer =
      what === 'delete'
        ? await ask('DELETE', `/jobs/${id}`)
        : await ask('POST', `/jobs/${id}/${what}`, what === 'retry' ? retry : undefined)
    if (answer === null) return
    if (answer.status === 200 && what === 'delete') known.delete(id)
    if (answer.status === 200 && what === 'cancel')
      Object.assign(job, { status: 'failed', wasRetried: false })
    if (answer.status !== 200) {
      // Somebody's answer was lost, or the job was faster than its owner.
      expect(answer.body.error.code).toBe(
        job.isInDoubt && answer.status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST',
      )
      if (answer.status === 404) known.delete(id)
    }
  }

  /** The list against all that is known. */
  async function look(): Promise<void> {
    const listed = await listAll(ask)
    for (const item of listed) {
      const job = known.get(item.id) ?? adopted(item)
      expectStep(job, item)
      Object.assign(job, { status: item.status, wasRetried: false })
    }
    for (const [id, job] of known) {
      if (listed.some((item) => item.id === id)) continue
      expect([id, job.isInDoubt]).toEqual([id, true])
      known.delete(id)
    }
  }

  /** A job that nobody was told of: its creation was in doubt. */
  function adopted({ id, status }: JobListItemJson): KnownJob {
    expect(createdInDoubt--).toBeGreaterThan(0)
    const job = { status, wasRetried: false, isInDoubt: false }
    known.set(id, job)
    return job
  }

  const act = async () => {
    const dice = random()
    await (dice < 0.45 ? create() : change(dice < 0.55 ? 'cancel' : dice < 0.75 ? 'retry' : 'delete'))
  }

  let kills = 0
  for (let step = 0; step < steps; step++) {
    if (random() < killShare) {
      const inFlight = act()
      await Bun.sleep(upTo(30))
      await holdall.kill()
      await inFlight
      await holdall.restart()
      kills++
    } else await act()
    await look()
  }
  await untilAllEnded(look, known)
  await restartAndSweep(holdall)
  await look()
  expect(await holdall.stop()).toBe(0)
  checkData(holdall.dataDir)
  const archives = join(holdall.dataDir, 'archives')
  for (const name of readdirSync(archives)) if (name.endsWith('.zip')) await readZip(join(archives, name))
  return { kills, jobs: created }
}

type Ask = (
  method: string,
  path: string,
) => Promise<{ status: number; body: ReturnType<typeof JSON.parse> } | null>

/** Every page of the list, which must be newest first, without repetition, and as long as it says. */
async function listAll(ask: Ask): Promise<JobListItemJson[]> {
  const jobs: JobListItemJson[] = []
  let cursor: string | null = null
  let total: number
  do {
    const page = await ask('GET', `/jobs?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`)
    if (page?.status !== 200) throw new Error(`The list answers ${page?.status}.`)
    jobs.push(...page.body.jobs)
    total = page.body.meta.total
    cursor = page.body.meta.next_cursor
  } while (cursor !== null)
  expect(jobs).toHaveLength(total)
  const order = jobs.map(({ created_at, id }) => `${created_at} ${id}`)
  expect(order).toEqual([...new Set(order)].toSorted().toReversed())
  const stats = await ask('GET', '/jobs/stats')
  expect(stats?.body.stats.total).toBe(total)
  return jobs
}

/** What ended stays as it ended, unless its owner retried it. */
function expectStep(before: KnownJob, now: JobListItemJson): void {
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

async function untilAllEnded(look: () => Promise<void>, known: ReadonlyMap<string, KnownJob>): Promise<void> {
  const hasEnded = ({ status }: KnownJob) => status === 'completed' || status === 'failed'
  do {
    await Bun.sleep(50)
    await look()
  } while (![...known.values()].every(hasEnded))
}

/** A start drops the files that no job owns, and sweeps what has expired. */
async function restartAndSweep(holdall: Holdall): Promise<void> {
  await holdall.kill()
  await holdall.restart()
}
