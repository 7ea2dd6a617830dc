import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import type { JobListItemJson } from '../../server/http/jobs/schemas.ts'
import { type Client, signIn } from '../support/client.ts'
import { addUser, type Holdall, startHoldall } from '../support/executable.ts'
import { percentile, probeHealth } from '../support/health-probe.ts'
import { type Origin, startOrigin } from '../support/origin.ts'

const MINUTES = Number(process.env.SOAK_LOAD_MINUTES ?? 10)
const DOWNLOADS = 200
const STREAMS = 500
const JOBS = 50
const USERS = 10
const URLS_PER_JOB = 5_000

/** The most by which memory may grow from the first half to the second. */
const MAX_GROWTH = 1.1
const MAX_HEALTH_MS = 50
const ARCHIVE_BYTES = 20_000_000
/** How long a slow download pauses after each piece that it reads. */
const PAUSE_MS = 1_000

test(
  `200 slow downloads, 500 event streams and jobs of 5,000 URLs by 10 users for ${MINUTES} minutes keep memory and the response time of /health bounded`,
  async () => {
    await using stack = new AsyncDisposableStack()
    const origin = stack.use(await startOrigin())
    const holdall = stack.use(await startHoldall({ args: ['--rate-limit', '0'] }))
    const users = [await signIn(await holdall.signInLink())]
    while (users.length < USERS) users.push(await signIn(addUser(holdall, `user ${users.length}`)))
    const [owner] = users
    if (owner === undefined) throw new Error('there is no user')

    const endsAt = performance.now() + MINUTES * 60_000
    const path = new URL(await archiveLink(origin, owner)).pathname
    const downloads = stack.use(
      keepRequesting(
        holdall,
        DOWNLOADS,
        () => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        PAUSE_MS,
      ),
    )
    const keyOf = (index: number) => users[index % users.length]?.key
    const streams = stack.use(
      keepRequesting(
        holdall,
        STREAMS,
        (index) => `GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keyOf(index)}\r\n\r\n`,
        0,
      ),
    )
    const probe = await probeHealth(holdall.address)
    const memory = watchMemory(holdall, endsAt)
    const ended = await keepJobsRunning(origin, users, endsAt)
    const times = await probe.finish()
    const { firstHalfBytes, secondHalfBytes } = await memory

    console.log(
      `${ended} jobs of ${URLS_PER_JOB} URLs, ${(downloads.bytes() / 1e6).toFixed(0)} MB by slow downloads, ${(streams.bytes() / 1e6).toFixed(0)} MB of events; ` +
        `memory at most ${(firstHalfBytes / 1e6).toFixed(0)} MB, then ${(secondHalfBytes / 1e6).toFixed(0)} MB; ` +
        `/health ${times.length} times: ${[50, 90, 99, 100].map((part) => `${part} % ${percentile(times, part).toFixed(1)} ms`).join(', ')}`,
    )
    expect(ended).toBeGreaterThan(0)
    expect(downloads.bytes()).toBeGreaterThan(0)
    expect(streams.bytes()).toBeGreaterThan(0)
    expect(secondHalfBytes).toBeLessThan(firstHalfBytes * MAX_GROWTH)
    expect(percentile(times, 99)).toBeLessThan(MAX_HEALTH_MS)
  },
  (MINUTES + 20) * 60_000,
)

async function archiveLink(origin: Origin, client: Client): Promise<string> {
  const job = await client.untilEnded(
    await client.createJob({ urls: [origin.url(`/bytes/${ARCHIVE_BYTES}`)] }),
  )
  if (job.download_url === undefined) throw new Error('there is no archive')
  return job.download_url
}

interface Sockets extends Disposable {
  /** Bytes received so far by all connections. */
  bytes(): number
}

/**
 * Opens connections that each send a request, and replaces each when its response has ended. Uses sockets, since fetch opens at
 * most 256 connections.
 * @param pauseMs the pause after each piece that a connection reads; 0 reads as fast as possible
 */
function keepRequesting(
  holdall: Holdall,
  count: number,
  requestOf: (index: number) => string,
  pauseMs: number,
): Sockets {
  const { hostname, port } = new URL(holdall.address)
  const open = new Set<Socket>()
  let bytes = 0
  let isOver = false
  const connect = (index: number): void => {
    if (isOver) return
    const socket = createConnection({ host: hostname, port: Number(port) })
    open.add(socket)
    socket.on('connect', () => socket.write(requestOf(index)))
    socket.on('data', (piece) => {
      bytes += piece.length
      if (pauseMs === 0) return
      socket.pause()
      setTimeout(() => socket.resume(), pauseMs)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      setTimeout(connect, 100, index)
    })
  }
  for (let index = 0; index < count; index++) connect(index)
  return {
    bytes: () => bytes,
    [Symbol.dispose]() {
      isOver = true
      for (const socket of open) socket.destroy()
    },
  }
}

/** Keeps fifty jobs running until the time is over. @returns how many were completed */
async function keepJobsRunning(origin: Origin, users: readonly Client[], endsAt: number): Promise<number> {
  let made = 0
  let completed = 0
  const runJobs = async (client: Client) => {
    do {
      const batch = made++
      const urls = Array.from({ length: URLS_PER_JOB }, (_, index) =>
        origin.url(`/bytes/2000/${batch}/${index}`),
      )
      const jobId = await client.createJob({ urls })
      if (await isCompletedBefore(endsAt, client, jobId)) completed++
      await client.request('DELETE', `/jobs/${jobId}`)
    } while (performance.now() < endsAt)
  }
  await Promise.all(
    Array.from({ length: JOBS }, (_, index) => users[index % users.length]).flatMap((user) =>
      user ? [runJobs(user)] : [],
    ),
  )
  return completed
}

/** Reads the list of jobs, since a single job is megabytes. */
async function isCompletedBefore(endsAt: number, client: Client, jobId: string): Promise<boolean> {
  while (performance.now() < endsAt) {
    const text = await (await client.request('GET', '/jobs?limit=100')).text()
    const { jobs }: { jobs: readonly JobListItemJson[] } = JSON.parse(text)
    const job = jobs.find(({ id }) => id === jobId)
    if (job?.status === 'completed') return true
    if (job?.status === 'failed') throw new Error(`a job failed: ${JSON.stringify(job.failure)}`)
    await Bun.sleep(1_000)
  }
  return false
}

/** Peak resident memory in each half of the time, measured every second. */
async function watchMemory({ pid }: Holdall, endsAt: number) {
  const startedAt = performance.now()
  const half = startedAt + (endsAt - startedAt) / 2
  let firstHalfBytes = 0
  let secondHalfBytes = 0
  while (performance.now() < endsAt) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const bytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
    if (performance.now() < half) firstHalfBytes = Math.max(firstHalfBytes, bytes)
    else secondHalfBytes = Math.max(secondHalfBytes, bytes)
    await Bun.sleep(1_000)
  }
  return { firstHalfBytes, secondHalfBytes }
}
