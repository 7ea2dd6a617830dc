// test group: idle
import { expect, test } from 'bun:test'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { TextGarbage } from '../../server/garbage.ts'
import { openResponseMemory } from '../../server/http/body/response-memory.ts'
import { openTurns } from '../../server/http/body/turns.ts'
import { event, openEventStreams } from '../../server/http/jobs/event-streams.ts'
import { openChangeCollector } from '../../server/jobs/changes.ts'
import { openLiveProgress } from '../../server/jobs/progress.ts'
import { openApiKeyStore } from '../../server/keys/api-key-store.ts'
import { openApiKeys } from '../../server/keys/api-keys.ts'
import { openLog } from '../../server/logging/log.ts'
import { systemClock } from '../../server/time/clock.ts'
import { connectTo } from '../support/connection.ts'
import { forFile } from '../support/for-file.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

/** Bun checks timeouts every four seconds. With a shorter timeout, it would also drop clients that read. */
const TIMEOUTS = { stalledClientSeconds: 5, heartbeatMs: 50 }
const UPDATE_BYTES = 256 * 1024

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
const log = openLog()
const apiKeys = forFile(openApiKeys(openApiKeyStore(db), systemClock, log))
const streams = forFile(
  openEventStreams(
    apiKeys,
    log,
    openResponseMemory(new TextGarbage(), () => 1),
    openTurns(),
    TIMEOUTS,
  ),
)
const owner = openAccountStore(db).createUser('owner', 'pro', 0)
const caller = apiKeys.authenticate(apiKeys.create(owner?.id ?? '', null, null).key)

/** The stream of a connection: the number of updates that it has sent, and when it ends. */
interface TestStream {
  updates: number
  readonly ended: Promise<void>
}
const opened: TestStream[] = []

const server = forFile(
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    fetch(request, self) {
      if (caller === null) throw new Error('the key is not known')
      const live = openLiveProgress(systemClock)
      const ended = Promise.withResolvers<void>()
      const stream: TestStream = { updates: 0, ended: ended.promise }
      const openWatch = () => {
        opened.push(stream)
        const watch = openChangeCollector(live, { userId: caller.user.id })
        const dispose = () => {
          watch[Symbol.dispose]()
          ended.resolve()
        }
        return { ...watch, [Symbol.dispose]: dispose }
      }
      return streams.open({ caller, request, server: self, set: { headers: {} } }, openWatch, (watch) => {
        stream.updates++
        if (request.url.endsWith('/quiet')) {
          return { pieces: stream.updates === 1 ? [event('job', 'first')] : [], isLast: false }
        }
        watch.take()
        live.changed({ jobId: `${stream.updates}`, userId: caller.user.id })
        const data = request.url.endsWith('/small') ? stream.updates : 'x'.repeat(UPDATE_BYTES)
        return { pieces: [event('job', data)], isLast: false }
      })
    },
  }),
)

async function openStream(path = '/busy') {
  const connection = await connectTo(server.url.origin)
  await connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await connection.until(/event: job/)
  const stream = opened.at(-1)
  if (stream === undefined) throw new Error('there is no stream')
  return { connection, stream }
}

test('a client that stops reading is dropped, nothing is buffered for it, and other clients continue', async () => {
  const stalled = await openStream()
  const other = await openStream()
  const updatesBefore = stalled.stream.updates
  stalled.connection.pause()
  await stalled.stream.ended
  // The operating system buffers a few megabytes per connection.
  expect((stalled.stream.updates - updatesBefore) * UPDATE_BYTES).toBeLessThan(16 * 1024 * 1024)
  stalled.connection.resume()
  await expect(stalled.connection.until(/never sent/)).rejects.toThrow('closed')
  const { updates } = other.stream
  await until('the other stream has an update', () => other.stream.updates !== updates)
  expect(other.connection.isClosed).toBe(false)
  other.connection[Symbol.dispose]()
  await other.stream.ended
}, 180_000)

test('a stream sends at most ten updates per second, even if the list changes faster', async () => {
  const startedMs = performance.now()
  const { connection } = await openStream('/small')
  await connection.until(/^data: 11$/m)
  // This may take longer on a busy machine, but never less time.
  expect(performance.now() - startedMs).toBeGreaterThan(990)
  connection[Symbol.dispose]()
})

test('a stream without changes sends only comments', async () => {
  const { connection } = await openStream('/quiet')
  const text = await connection.until(/(?:^:\n\n.*){2}/ms)
  expect(text.match(/^(?:event|data|id|retry):/gm)).toEqual(['event:', 'data:'])
  connection[Symbol.dispose]()
})

test('HEAD gets the same headers as GET and collects no changes', async () => {
  const before = opened.length
  const { status, headers } = await fetch(`${server.url}quiet`, { method: 'HEAD' })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect(opened).toHaveLength(before)
})
