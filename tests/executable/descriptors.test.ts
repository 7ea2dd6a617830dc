import { expect, test } from 'bun:test'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { archivesIn } from '../support/archives-in.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { until } from '../support/until.ts'

const TEST_TIMEOUT_MS = 180_000
const SPOOLED_COUNT = 64
/** Of unknown length and too large for memory, so that it is written to a spool file. */
const SPOOLED = '/bytes/3000000?framing=chunked'

test(
  'A job of 5,000 URLs, 64 of them of unknown length, leaves no open descriptor and no file but its archive',
  async () => {
    await using run = await startRun()
    const { origin, client } = run
    const spooled = numbered(SPOOLED_COUNT, (index) => origin.url(`${SPOOLED}&${index}`))
    const small = numbered(5_000 - SPOOLED_COUNT, (index) => origin.url(`/bytes/100/${index}`))
    const jobId = await client.createJob({ urls: [...spooled, ...small] })
    const job = await client.untilEnded(jobId)
    expect(job.failure).toBeUndefined()
    await expectNoNewOpenFiles(run)
    expect(archivesIn(run.holdall.dataDir)).toEqual([`${jobId}.zip`])
  },
  TEST_TIMEOUT_MS,
)

test(
  'A job that is cancelled while bodies of unknown length arrive leaves no open descriptor and no spool file',
  async () => {
    await using run = await startRun()
    const { origin, client, holdall } = run
    const urls = numbered(SPOOLED_COUNT, (index) => origin.url(`${SPOOLED}&stall_at=2000000&${index}`))
    const jobId = await client.createJob({ urls })
    await until('bytes are spooled', () =>
      archivesIn(holdall.dataDir).some((name) => name.includes('.spool-')),
    )
    const response = await client.request('POST', `/jobs/${jobId}/cancel`)
    expect(response.status).toBe(200)
    await expectNoNewOpenFiles(run)
    expect(archivesIn(holdall.dataDir).filter((name) => name.includes('.spool-'))).toEqual([])
  },
  TEST_TIMEOUT_MS,
)

test(
  'A job that fails at its size limit while bodies of unknown length arrive leaves no open descriptor and no spool file',
  async () => {
    await using run = await startRun('{"pro":{"max_zip_bytes":50000000}}')
    const { origin, client, holdall } = run
    const urls = numbered(SPOOLED_COUNT, (index) => origin.url(`/endless?${index}`))
    const job = await client.untilEnded(await client.createJob({ urls, fail_on_url_error: false }))
    expect(job.failure?.code).toBe('ZIP_SIZE_EXCEEDED')
    await expectNoNewOpenFiles(run)
    expect(archivesIn(holdall.dataDir).filter((name) => name.includes('.spool-'))).toEqual([])
  },
  TEST_TIMEOUT_MS,
)

interface ServiceRun extends AsyncDisposable {
  readonly origin: Origin
  readonly holdall: Holdall
  readonly client: Client
  /** Files that were open after a first job, which has started threads and loaded libraries. */
  readonly openFiles: readonly string[]
}

async function startRun(plans = '{}'): Promise<ServiceRun> {
  await using stack = new AsyncDisposableStack()
  const origin = stack.use(await startOrigin())
  const holdall = stack.use(
    await startHoldall({
      args: ['--plans', 'plans.json'],
      prepare: (startDir) => writeFileSync(join(startDir, 'plans.json'), plans),
    }),
  )
  const client = await signInOwner(holdall)
  const first = await client.createJob({ urls: [origin.url('/bytes/100')] })
  await client.untilEnded(first)
  await client.request('DELETE', `/jobs/${first}`)
  // Those of the first job itself are closed just after its end.
  await until('the first archive is closed', () =>
    openFilesOf(holdall).every((path) => !path.includes(first)),
  )
  const openFiles = openFilesOf(holdall)
  const owned = stack.move()
  return { origin, holdall, client, openFiles, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/**
 * Waits a moment, because a worker closes its files just after it has reported the end of the job, and the service may be
 * writing one of its own.
 */
async function expectNoNewOpenFiles({ holdall, openFiles }: ServiceRun): Promise<void> {
  let newFiles: readonly string[] = []
  await until('no new file is open', () => {
    newFiles = without(openFilesOf(holdall), openFiles)
    return newFiles.length === 0
  }).catch(() => {})
  expect(newFiles).toEqual([])
}

/** The elements of a list that remain when each of the others is taken from it once: a file may be open several times. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...list]
  for (const other of others) {
    const index = left.indexOf(other)
    if (index >= 0) left.splice(index, 1)
  }
  return left
}

/** The paths of open files. Sockets are left out, because connections to sources stay open for the next job. */
function openFilesOf({ pid }: Holdall): string[] {
  const directory = `/proc/${pid}/fd`
  const targets = readdirSync(directory).flatMap((fd) => {
    try {
      return [readlinkSync(join(directory, fd))]
    } catch {
      return []
    }
  })
  return targets.filter((target) => target.startsWith('/')).sort()
}

function numbered(count: number, url: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => url(index))
}
