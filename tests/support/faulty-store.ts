import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { signInOwner } from './client.ts'
import { startHoldall } from './executable.ts'
import { openFaultyProxy, type ProxyFault } from './faulty-proxy.ts'
import { MAX_STOP_MS } from './max-stop.ts'
import type { ObjectStore } from './object-store.ts'
import { startOrigin } from './origin.ts'
import { expectReadable } from './readers.ts'
import { seededRandom } from './seeded-random.ts'
import { watchService } from './service-watch.ts'
import { sha256 } from './sha256.ts'
import { storedJob } from './stored-job.ts'
import { tempDir } from './temp-dir.ts'
import { until } from './until.ts'

/**
 * Packs archives while three in ten requests to the archive store fail, stall, break off, lose their response or are only
 * pretended to have worked. Expects that every archive is in the store once, correct to the byte, that no download ends as
 * complete with other bytes, and that nothing is left after the jobs are deleted.
 * @returns the figures, in words
 */
export async function expectFaultyStoreLosesNothing(
  store: ObjectStore,
  jobCount: number,
  seed: number,
): Promise<string> {
  const prefix = `faulty-${seed}`
  await using origin = await startOrigin()
  using proxy = await openFaultyProxy(store.host)
  await using holdall = await startHoldall({
    args: ['--archive-store', store.address(prefix), '--archive-store-proxy', '--rate-limit', '0'],
    env: { ...store.env, AWS_ENDPOINT_URL: proxy.origin },
  })
  const client = await signInOwner(holdall)
  const watch = await watchService(holdall)
  const random = seededRandom(seed)
  proxy.inject(({ method }) => (random() < FAULT_SHARE ? faultFor(method, random) : null))

  const jobs: { id: string; entries: ReturnType<typeof storedJob>['entries'] }[] = []
  for (let number = 1; number <= jobCount; number++) {
    const { urls, entries } = storedJob(origin, seed * 1_000 + number)
    jobs.push({ id: await client.createJob({ urls }), entries })
  }
  using dir = tempDir()
  let refused = 0
  let complete = 0
  for (const { id, entries } of jobs) {
    const job = await client.untilEnded(id, DEADLINE_MS)
    expect(job.failure).toBeUndefined()
    const url = job.download_url ?? ''
    await until('the archive is downloaded', async () => {
      const isWhole = await hasDownloaded(url, dir.file('a.zip'))
      if (isWhole) complete += 1
      else refused += 1
      return isWhole
    })
    await expectReadable(dir.file('a.zip'), entries)
  }

  // A store that sends other bytes: a single file breaks off, and is never complete with them.
  proxy.inject(({ method }) => (method === 'GET' ? { kind: 'change-byte' } : null))
  const [changed] = jobs
  const link = new URL((await client.getJob(changed?.id ?? '')).download_url ?? '')
  const shared = `${holdall.address}/download/${link.pathname.split('/')[2]}/entries/0`
  const body = await fetch(shared)
    .then(async (response) => (response.ok ? await response.bytes() : null))
    .catch(() => null)
  expect(body === null || sha256(body) === changed?.entries[0]?.sha256).toBe(true)

  proxy.inject(({ method }) => (random() < FAULT_SHARE ? faultFor(method, random) : null))
  for (const { id } of jobs) expect((await client.request('DELETE', `/jobs/${id}`)).status).toBe(200)
  const objects = async () => (await store.objects()).filter((name) => name.startsWith(`${prefix}/`))
  // Swift may list an object for longer than it exists.
  const isEmpty = async () => (await Promise.all((await objects()).map(store.has))).every((has) => !has)
  const isGone = async () => (await isEmpty()) && (await store.unfinishedUploads()) === 0
  await until('nothing is left in the store', isGone, { everyMs: 100 })
  expect(readdirSync(join(holdall.dataDir, 'archives')).filter((name) => name.includes('.zip'))).toEqual([])
  const counts = [...proxy.faults].map(([kind, count]) => `${kind} ${count}`).join(', ')
  return `${proxy.requestCount()} requests, faults: ${counts}; downloads: ${complete} whole, ${refused} broken; ${await watch.finish()}`
}

/** Stops the service while the store stalls. Expects a clean end in time, and whole archives after the next start. */
export async function expectStalledStoreDelaysNobody(store: ObjectStore): Promise<void> {
  await using origin = await startOrigin()
  using proxy = await openFaultyProxy(store.host)
  await using holdall = await startHoldall({
    args: ['--archive-store', store.address('stalled')],
    env: { ...store.env, AWS_ENDPOINT_URL: proxy.origin },
  })
  const client = await signInOwner(holdall)
  const watch = await watchService(holdall)
  const stalled = new Set<string>()
  proxy.inject(({ method }) => {
    // The first requests of an upload work, so that a small archive and parts of a large one are sent, and stall.
    if (method === 'HEAD' || method === 'GET' || method === 'POST') return null
    stalled.add(method)
    return { kind: 'stall', stallMs: DEADLINE_MS }
  })
  const kept = [storedJob(origin, 1), storedJob(origin, 2, 2_000_000)]
  const ids = await Promise.all(kept.map(({ urls }) => client.createJob({ urls })))
  await until('an upload stalls', () => stalled.has('PUT'))
  // Another user's job that needs no store, while uploads stall.
  for (const id of ids) await client.until(id, ({ file_count }) => file_count === 3)
  await watch.finish()
  const startedMs = performance.now()
  expect(await holdall.stop()).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(MAX_STOP_MS)
  proxy.inject(null)
  await holdall.restart()
  using dir = tempDir()
  for (const [index, id] of ids.entries()) {
    const job = await client.untilEnded(id, DEADLINE_MS)
    expect(job.status).toBe('completed')
    expect(await hasDownloaded(job.download_url ?? '', dir.file('a.zip'))).toBe(true)
    await expectReadable(dir.file('a.zip'), kept[index]?.entries ?? [])
  }
}

async function hasDownloaded(url: string, path: string): Promise<boolean> {
  const curl = Bun.spawn(['curl', '-sSL', '--fail', '-o', path, url], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  return (await curl.exited) === 0
}

/** Faults that a correct client survives: a store that pretends to have deleted or to have nothing can't be found out. */
function faultFor(method: string, random: () => number): ProxyFault {
  const faults: ProxyFault[] = [
    { kind: 'refuse', status: [500, 503, 429, 403][Math.floor(random() * 4)] ?? 500 },
    { kind: 'break' },
    { kind: 'lose-response', status: 500 },
    { kind: 'cut-response' },
    { kind: 'cut-request' },
    { kind: 'stall', stallMs: 500 },
    ...(method === 'PUT' || method === 'POST' || method === 'HEAD' ? [{ kind: 'pretend' } as const] : []),
  ]
  return faults[Math.floor(random() * faults.length)] ?? { kind: 'break' }
}

const FAULT_SHARE = 0.3
const DEADLINE_MS = 240_000
