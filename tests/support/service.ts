import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSignIn, signInLink } from '../../server/accounts/sign-in.ts'
import { type App, openApp, type ProgramFiles } from '../../server/app.ts'
import { openAccounts } from '../../server/cli/accounts.ts'
import { loadConfig } from '../../server/config.ts'
import { WorkerPool } from '../../server/engine/pool.ts'
import { freeBytes } from '../../server/files/free-space.ts'
import { openLog } from '../../server/logging/log.ts'
import { expectDocumented } from './documented.ts'

/** A service on a port of its own with an empty data directory, in this process, spoken to over HTTP. */
export interface TestService extends AsyncDisposable {
  readonly app: App
  readonly origin: string
  readonly dataDir: string
  /** What was logged, to look for what must not be there. */
  readonly logged: string[]
  /** A key of the owner, who is on the Pro plan; empty on a data directory whose owner has one already. */
  readonly key: string
  /** A key of a new user. */
  addUser(name: string, plan?: 'free' | 'pro'): Promise<string>
  /**
   * Every answer must be as the API reference says. Sends JSON (a string or bytes as they are) with the owner's key,
   * another one, or none (null).
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>
  /** Creates a job of these URLs and waits until it has ended. */
  finishedJob(urls: readonly string[], settings?: object, key?: string): Promise<ReplyBody>
  /** Waits until a job is in one of the states. */
  jobIn(jobId: string, states: readonly string[], key?: string): Promise<ReplyBody>
  /** Lets the service's clock stand still, for what is counted by the minute. */
  stopClock(): void
  /** Says how much room the disk has, in place of the disk; null lets the disk say it again. */
  setFreeBytes(bytes: (() => number) | null): void
  /** Lets time pass for the service. */
  advance(ms: number): void
  /** Sets the service's clock ahead, or back, though no time has passed. */
  setClockAhead(ms: number): void
  /** Stops the service and starts it again on the same data. */
  restart(): Promise<void>
  /** Stops the service, lets `work` change what lies on the disk, and starts it again. */
  whileStopped(work: () => Promise<void>): Promise<void>
}

export interface RequestOptions {
  readonly body?: unknown
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Whatever JSON the service answered with: tests look into it as a client would. */
export type ReplyBody = ReturnType<typeof JSON.parse>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: ReplyBody
}

const ROOT = join(import.meta.dir, '../..')
/** Where what belongs to the program lies in the source tree. */
export const PROGRAM_FILES: ProgramFiles = {
  migrationsDir: join(ROOT, 'drizzle/migrations'),
  uiDir: join(ROOT, 'dist/ui'),
  workerUrl: new URL('../../server/engine/worker.ts', import.meta.url),
}

export async function startService(
  flags: Readonly<Record<string, string[]>> = {},
  files: ProgramFiles = PROGRAM_FILES,
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-test-'))
  const logged: string[] = []
  let ahead = 0
  let passedMs = 0
  let stoppedAtMs: number | null = null
  let free: (() => number) | null = null
  const config = loadConfig(
    {
      listen: ['127.0.0.1:0'],
      data: [join(dataDir, 'data')],
      'allow-network': ['127.0.0.0/8'],
      'log-format': ['text'],
      ...flags,
    },
    {},
  )
  const open = () =>
    openApp({
      config,
      files,
      openRunner: (log) =>
        new WorkerPool({ workerUrl: files.workerUrl, bounds: { total: 64, perHost: 32 }, log }),
      clock: () => (stoppedAtMs ?? Date.now()) + ahead,
      monotonic: () => performance.now() + passedMs,
      freeBytes: (directory) => free?.() ?? freeBytes(directory),
      log: openLog({ logFormat: config.logFormat, logLevel: config.logLevel }, (line) => logged.push(line)),
    })
  let app = await open().catch(async (error) => {
    await rm(dataDir, { recursive: true })
    throw error
  })

  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const { body, key = service.key, headers = {} } = options
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(app.localOrigin + path, {
      method,
      redirect: 'manual',
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body: raw ? new Blob([body]) : JSON.stringify(body) }),
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

  async function jobIn(jobId: string, states: readonly string[], key = service.key): Promise<ReplyBody> {
    for (;;) {
      const { body } = await request('GET', `/jobs/${jobId}`, { key })
      if (states.includes(body.job.status)) return body.job
      await Bun.sleep(5)
    }
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
    jobIn,
    async addUser(name: string, plan: 'free' | 'pro' = 'pro') {
      using accounts = openAccounts(config, PROGRAM_FILES)
      const user = accounts.store.createUser(name, plan, Date.now())
      if (user === null) throw new Error(`there is a user ${name} already`)
      const token = openSignIn(accounts.store, () => Date.now() + ahead).issueToken(user.id)
      return signIn(signInLink(app.origin, token))
    },
    async finishedJob(urls: readonly string[], settings: object = {}, key = service.key) {
      const { body } = await request('POST', '/jobs', { body: { urls, ...settings }, key })
      return jobIn(body.job_id, ['completed', 'failed'], key)
    },
    stopClock() {
      stoppedAtMs = Date.now()
    },
    setFreeBytes(bytes: (() => number) | null) {
      free = bytes
    },
    advance(ms: number) {
      ahead += ms
      passedMs += ms
    },
    setClockAhead(ms: number) {
      ahead += ms
    },
    restart: () => service.whileStopped(async () => {}),
    async whileStopped(work: () => Promise<void>) {
      await app[Symbol.asyncDispose]()
      await work()
      app = await open()
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true })
    },
  }
  const link = app.firstSignInLink()
  if (link !== null) service.key = await signIn(link)
  return service
}
