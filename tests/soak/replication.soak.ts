import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startObjectStore } from '../support/object-store.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

/** An npm package that contains the executable of Litestream 0.3.13. */
const LITESTREAM = '@flydotio/litestream-linux-x64@1.0.1'
const CONFIGURATION = readFileSync(join(import.meta.dir, '../../server/deploy/litestream.yml'), 'utf8')
const DOCUMENTED_REPLICA = /- type: file\n.*path: .*/.exec(CONFIGURATION)?.[0] ?? ''
const TEST_TIMEOUT_MS = 120_000

/** A place that Litestream copies to. */
interface Destination extends AsyncDisposable {
  /** The replica in the configuration. */
  readonly replica: string
  readonly env: Record<string, string>
}

test.each([
  ['another directory', toDirectory],
  ['an S3 server', toObjectStore],
])(
  'A database that Litestream has copied to %s while jobs ran, until both were killed, is restored and opens: jobs, keys and links work',
  async (_what, openDestination) => {
    using dir = tempDir()
    await using destination = await openDestination()
    const env = { ...process.env, ...destination.env }
    await Bun.spawn([process.execPath, 'add', '--cwd', installation(dir.path), LITESTREAM]).exited
    const litestream = join(dir.path, 'litestream/node_modules/@flydotio/litestream-linux-x64/litestream')
    await using origin = await startOrigin()
    await using holdall = await startHoldall()
    const database = join(holdall.dataDir, 'holdall.db')
    const configuration = dir.file('litestream.yml')
    const replaced = CONFIGURATION.replace('/var/lib/holdall/holdall.db', database)
    await Bun.write(configuration, replaced.replace(DOCUMENTED_REPLICA, destination.replica))
    await using replication = Bun.spawn([litestream, 'replicate', '-config', configuration], {
      env,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const client = await signInOwner(holdall)
    const urls = Array.from({ length: 20 }, (_, index) =>
      origin.url(`/bytes/20000/${index}.bin?seed=${index + 1}`),
    )
    const jobIds = await Promise.all(Array.from({ length: 40 }, () => client.createJob({ urls })))
    const jobs = await Promise.all(jobIds.map((id) => client.untilEnded(id)))
    const [job] = jobs
    const archive = await (await fetch(job?.download_url ?? '')).bytes()

    const restore = (path: string) =>
      Bun.spawn([litestream, 'restore', '-config', configuration, '-o', path, database], {
        env,
        stdio: ['ignore', 'ignore', 'ignore'],
      }).exited
    // It copies about once per second.
    for (let tries = 0, completed = 0; completed < jobs.length; tries++) {
      const path = dir.file(`try-${tries}.db`)
      completed = (await restore(path)) === 0 ? completedIn(path) : 0
    }
    await holdall.kill()
    replication.kill('SIGKILL')
    await replication.exited

    const restored = dir.file('restored')
    mkdirSync(restored, { mode: 0o700 })
    expect(await restore(join(restored, 'holdall.db'))).toBe(0)
    for (const name of ['signing-secrets.json', 'sealing-key', 'archives'])
      cpSync(join(holdall.dataDir, name), join(restored, name), { recursive: true })
    await using service = await startService({ data: [restored] })
    const { stats } = (await service.request('GET', '/jobs/stats', { key: client.key })).body
    expect(stats.completed).toBe(jobs.length)
    const link = service.origin + new URL(job?.download_url ?? '').pathname
    expect(await (await fetch(link)).bytes()).toEqual(archive)
    const next = await service.finishedJob(urls, {}, client.key)
    expect(next.status).toBe('completed')
  },
  TEST_TIMEOUT_MS,
)

async function toDirectory(): Promise<Destination> {
  const dir = tempDir()
  return {
    replica: DOCUMENTED_REPLICA.replace('/mnt/backups/holdall', dir.file('replica')),
    env: {},
    async [Symbol.asyncDispose]() {
      dir[Symbol.dispose]()
    },
  }
}

async function toObjectStore(): Promise<Destination> {
  const store = await startObjectStore()
  const { protocol, host, pathname } = new URL(store.address('database'))
  const replica = [
    `- type: ${protocol.slice(0, -1)}`,
    `bucket: ${host}`,
    `path: ${pathname.slice(1)}`,
    `endpoint: http://${store.host}`,
    `region: ${store.env.AWS_REGION}`,
    'force-path-style: true',
  ]
  return {
    replica: replica.join('\n        '),
    env: store.env,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** A directory of its own, so that the package is not added to this project. */
function installation(path: string): string {
  const directory = join(path, 'litestream')
  mkdirSync(directory)
  Bun.write(join(directory, 'package.json'), '{}')
  return directory
}

function completedIn(path: string): number {
  using database = new Database(path, { readonly: true })
  return (
    database
      .query<{ count: number }, []>(`SELECT count(*) AS count FROM jobs WHERE status = 'completed'`)
      .get()?.count ?? 0
  )
}
