import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSignIn, signInUrl } from '../../server/accounts/sign-in.ts'
import { type App, openApp } from '../../server/app.ts'
import { openAccounts } from '../../server/cli/data/accounts.ts'
import { loadConfig } from '../../server/config/config.ts'
import { freeBytes } from '../../server/files/free-space.ts'
import { openLog } from '../../server/logging/log.ts'
import type { ProgramFiles } from '../../server/program-files.ts'
import { expectDocumented } from './documented.ts'
import { until } from './until.ts'

/** A service in this process, with its own port and an empty data directory. Tests use it over HTTP. */
export interface TestService extends AsyncDisposable {
  readonly app: App
  readonly origin: string
  readonly dataDir: string
  /** All lines of the log. */
  readonly logged: string[]
  /** A key of the owner, who is on the Pro plan. Empty if the owner of the data directory has signed in before. */
  readonly key: string
  /** Adds a user, by default with a name of its own, who signs in. @returns the key of the user's browser */
  addUser(name?: string, plan?: 'free' | 'pro'): Promise<string>
  /**
   * Sends JSON, or a string or bytes unchanged, with the owner's key, another key, or none (null). Expects that the
   * response matches the API reference.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>
  /** Throws unless the job is created. @returns the job's id */
  createJob(body: object, key?: string): Promise<string>
  /** Creates a job and waits until it has ended. */
  finishedJob(urls: readonly string[], settings?: object, key?: string): Promise<ReplyBody>
  /** Waits until a job has one of these statuses. */
  jobIn(jobId: string, statuses: readonly string[], key?: string): Promise<ReplyBody>
  /** Stops the service's clock, for tests of limits per minute. */
  stopClock(): void
  /** Sets the free space that the service sees; null sets the actual free space again. */
  setFreeBytes(bytes: (() => number) | null): void
  /** Advances the service's clock and its monotonic time. */
  advance(ms: number): void
  /** The same, to the middle of the next month: usage counts by months, so that a test in which hours pass must not reach its end. */
  advanceToMidMonth(): void
  /** Sets the service's clock ahead or back, while its monotonic time stays the same. */
  setClockAhead(ms: number): void
  /** Stops the service and starts it again with the same data. */
  restart(): Promise<void>
  /** Stops the service, calls `work`, for example to change files, and starts the service again. */
  whileStopped(work: () => Promise<void>): Promise<void>
}

export interface RequestOptions {
  readonly body?: unknown
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Any JSON that the service sends. */
export type ReplyBody = ReturnType<typeof JSON.parse>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: ReplyBody
}

const ROOT = join(import.meta.dir, '../..')
/** The files of the program, in the source tree. */
export const PROGRAM_FILES: ProgramFiles = {
  migrationsDir: join(ROOT, 'drizzle/migrations'),
  uiDir: join(ROOT, 'dist/ui'),
  workerUrl: new URL('../../server/engine/threads/worker.ts', import.meta.url),
  verifierUrl: new URL('../../server/archive/verifying/worker.ts', import.meta.url),
}
/** The same with a worker that fails in the way that a URL says. */
export const FAULTY_WORKER_FILES: ProgramFiles = {
  ...PROGRAM_FILES,
  workerUrl: new URL('faulty-worker.ts', import.meta.url),
}

/** Shortly before a test ends by its own time limit. */
const JOB_DEADLINE_MS = 170_000

export async function startService(
  flags: Readonly<Record<string, string[]>> = {},
  files: ProgramFiles = PROGRAM_FILES,
  env: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const dir = await mkdtemp(join(tmpdir(), 'holdall-test-'))
  const dataDir = join(dir, 'data')
  const logged: string[] = []
  let aheadMs = 0
  let passedMs = 0
  let clockStoppedAtMs: number | null = null
  const clock = () => (clockStoppedAtMs ?? Date.now()) + aheadMs
  let freeBytesSet: (() => number) | null = null
  const readConfig = () =>
    loadConfig(
      {
        listen: ['127.0.0.1:0'],
        data: [dataDir],
        'allow-network': ['127.0.0.0/8'],
        'log-format': ['text'],
        ...flags,
      },
      env,
    )
  const config = readConfig()
  const open = () =>
    openApp({
      // Read again, so that a test may change the environment between two starts.
      config: readConfig(),
      files,
      clock,
      monotonic: () => performance.now() + passedMs,
      freeBytes: (directory) => freeBytesSet?.() ?? freeBytes(directory),
      log: openLog({ logFormat: config.logFormat, logLevel: config.logLevel }, (line) => logged.push(line)),
    })
  let app = await open().catch(async (error) => {
    await rm(dir, { recursive: true })
    throw error
  })

  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const { body, key = service.key, headers = {} } = options
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(app.localOrigin + path, {
      method,
      redirect: 'manual',
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body: isRaw ? new Blob([body]) : JSON.stringify(body) }),
    })
    const text = await response.text()
    await expectDocumented(app.localOrigin, method, path, response, text)
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }

  async function signIn(link: string): Promise<string> {
    const token = link.split('#')[1]
    const reply = await request('POST', '/sign-in', { body: { token }, key: null })
    return reply.body.api_key.key
  }

  /** Replaces the key of a browser, which ends when it is not used, so that tests may advance the clock by years. */
  async function permanentKey(browserKey: string): Promise<string> {
    const { body } = await request('POST', '/api-keys', { key: browserKey })
    await request('DELETE', '/sign-in', { key: browserKey })
    return body.api_key.key
  }

  async function createJob(body: object, key = service.key): Promise<string> {
    const reply = await request('POST', '/jobs', { body, key })
    if (reply.status !== 201)
      throw new Error(`POST /jobs responds ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body.job_id
  }

  async function jobIn(jobId: string, statuses: readonly string[], key = service.key): Promise<ReplyBody> {
    const job = async () => {
      const { body } = await request('GET', `/jobs/${jobId}`, { key })
      return statuses.includes(body.job.status) && body.job
    }
    return await until(`the job is ${statuses.join(' or ')}`, job, { deadlineMs: JOB_DEADLINE_MS })
  }

  const service: TestService & { key: string } = {
    dataDir,
    logged,
    key: '',
    get app() {
      return app
    },
    get origin() {
      return app.localOrigin
    },
    request,
    createJob,
    jobIn,
    async addUser(name = `user-${crypto.randomUUID()}`, plan: 'free' | 'pro' = 'pro') {
      using accounts = openAccounts(config, PROGRAM_FILES)
      const user = accounts.store.createUser(name, plan, clock())
      if (user === null) throw new Error(`there is a user ${name} already`)
      const { token } = openSignIn(accounts.store, clock).issueToken(user.id)
      return signIn(signInUrl(app.origin, token))
    },
    async finishedJob(urls: readonly string[], settings: object = {}, key = service.key) {
      return jobIn(await createJob({ urls, ...settings }, key), ['completed', 'failed'], key)
    },
    stopClock() {
      clockStoppedAtMs = Date.now()
    },
    setFreeBytes(bytes: (() => number) | null) {
      freeBytesSet = bytes
    },
    advance(ms: number) {
      aheadMs += ms
      passedMs += ms
    },
    advanceToMidMonth() {
      const now = new Date(clock())
      service.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15) - now.getTime())
    },
    setClockAhead(ms: number) {
      aheadMs += ms
    },
    restart: () => service.whileStopped(async () => {}),
    async whileStopped(work: () => Promise<void>) {
      await app[Symbol.asyncDispose]()
      await work()
      app = await open()
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      // A check of health that is still running deletes its own file meanwhile.
      await rm(dir, { recursive: true, force: true })
    },
  }
  const link = app.firstSignInLink()
  if (link !== null) service.key = await permanentKey(await signIn(link))
  return service
}
