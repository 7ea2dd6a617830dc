import { expect, test } from 'bun:test'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { systemClock } from '../../server/clock.ts'
import { openDatabase } from '../../server/db/open.ts'
import { event, openEventStreams } from '../../server/http/event-streams.ts'
import { openGarbageCollector } from '../../server/http/garbage-collector.ts'
import { openLiveProgress } from '../../server/jobs/progress.ts'
import { watchJobs } from '../../server/jobs/watch.ts'
import { openApiKeyStore } from '../../server/keys/api-key-store.ts'
import { openApiKeys } from '../../server/keys/api-keys.ts'
import { openLog } from '../../server/log.ts'
import { connectTo } from '../support/connection.ts'
import { forFile } from '../support/for-file.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

/** Bun looks at the clock every four seconds; below that even clients that take events would be dropped. */
const TIMEOUTS = { stalledClientSeconds: 5, heartbeatMs: 50 }
const TURN_BYTES = 256 * 1024

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
const log = openLog()
const apiKeys = forFile(openApiKeys(openApiKeyStore(db), systemClock, log))
const streams = forFile(openEventStreams(apiKeys, log, openGarbageCollector(), TIMEOUTS))
const owner = openAccountStore(db).createUser('owner', 'pro', 0)
const caller = apiKeys.authenticate(apiKeys.create(owner?.id ?? '', null, null).key)

/** A stream a connection, of a list that changes without end: how many turns it was given, and when it was over. */
interface Followed {
  turns: number
  readonly over: Promise<void>
}
const followed: Followed[] = []

const server = forFile(
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    fetch(request, self) {
      if (caller === null) throw new Error('the key is not known')
      const live = openLiveProgress(systemClock)
      const over = Promise.withResolvers<void>()
      const stream: Followed = { turns: 0, over: over.promise }
      const openWatch = () => {
        followed.push(stream)
        const watch = watchJobs(live, { userId: caller.user.id })
        const dispose = () => {
          watch[Symbol.dispose]()
          over.resolve()
        }
        return { ...watch, [Symbol.dispose]: dispose }
      }
      return streams.open({ caller, request, server: self, set: { headers: {} } }, openWatch, (watch) => {
        stream.turns++
        if (request.url.endsWith('/quiet')) {
          return { pieces: stream.turns === 1 ? [event('job', 'first')] : [], isLast: false }
        }
        watch.take()
        live.changed({ jobId: `${stream.turns}`, userId: caller.user.id })
        return { pieces: [event('job', 'x'.repeat(TURN_BYTES))], isLast: false }
      })
    },
  }),
)

async function follow(path = '/busy') {
  const connection = await connectTo(server.url.origin)
  await connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await connection.until(/event: job/)
  const stream = followed.at(-1)
  if (stream === undefined) throw new Error('there is no stream')
  return { connection, stream }
}

test('a client that stops taking events is dropped, nothing is kept for it meanwhile, and others go on', async () => {
  const stalled = await follow()
  const other = await follow()
  stalled.connection.pause()
  await stalled.stream.over
  // What the system itself takes of a connection that nobody reads is a few megabytes.
  expect(stalled.stream.turns * TURN_BYTES).toBeLessThan(16 * 1024 * 1024)
  expect(other.stream.turns).toBeGreaterThan(stalled.stream.turns)
  stalled.connection.resume()
  await expect(stalled.connection.until(/never sent/)).rejects.toThrow('closed')
  const { turns } = other.stream
  while (other.stream.turns === turns) await Bun.sleep(20)
  expect(other.connection.isClosed).toBe(false)
  other.connection[Symbol.dispose]()
  await other.stream.over
}, 30_000)

test('a quiet stream shows that it lives by comments, and by nothing else', async () => {
  const { connection } = await follow('/quiet')
  const text = await connection.until(/(?:^:\n\n.*){2}/ms)
  expect(text.match(/^(?:event|data|id|retry):/gm)).toEqual(['event:', 'data:'])
  connection[Symbol.dispose]()
})

test('a HEAD is answered like a GET and watches nothing', async () => {
  const watched = followed.length
  const { status, headers } = await fetch(`${server.url}quiet`, { method: 'HEAD' })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect(followed).toHaveLength(watched)
})
