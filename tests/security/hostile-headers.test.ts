import { expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { filenameOf } from '../../server/fetching/content-disposition.ts'
import { tempDir } from '../support/temp-dir.ts'
import { testJob } from '../support/test-job.ts'

const HEADER_BYTES = 60_000
const body = Bun.gzipSync('hello')

test.each([
  ['2,500 nested codings', Array<string>(2_500).fill('gzip').join(', '), body],
  ['three codings', 'gzip, gzip, gzip', body],
  ['a coding that nobody knows', 'holdall', body],
  ['Brotli in Brotli', 'br, br', body],
])('%s are an unreadable content encoding, at once', async (_what, coding, content) => {
  const { errors, processorMs } = await fetchAs(`Content-Encoding: ${coding}`, content)
  expect(errors).toEqual([[0, 'Unreadable content encoding']])
  expect(processorMs).toBeLessThan(2_000)
})

test.each([
  ['one coding', 'gzip', body],
  ['its old name', 'X-GZIP', body],
  ['two codings, undone from the last to the first', 'gzip, deflate', Bun.deflateSync(body)],
  ['no coding among commas', ','.repeat(HEADER_BYTES), Buffer.from('hello')],
  ['no coding among blanks', `${' '.repeat(HEADER_BYTES)},`, Buffer.from('hello')],
  ['a coding among members that say nothing', `${'identity, ,'.repeat(5_000)} gzip,,`, body],
])('of a content encoding counts what it says: %s', async (_what, coding, content) => {
  const { errors, sizes, processorMs } = await fetchAs(`Content-Encoding: ${coding}`, content)
  expect(errors).toEqual([])
  expect(sizes).toEqual([5])
  expect(processorMs).toBeLessThan(2_000)
})

test('a redirect to a URL that is too long for a job is a malformed response', async () => {
  const location = `Location: /${'a'.repeat(HEADER_BYTES)}`
  const { errors } = await fetchAs(location, Buffer.alloc(0), '302 Found')
  expect(errors).toEqual([[0, 'Malformed response']])
})

test.each([
  ['semicolons', ';'],
  ['parameters', 'a=b;'],
  ['names', 'filename=a;'],
  ['extended names', "filename*=utf-8''%;"],
  ['quotes that nobody closes', 'a="'],
  ['backslashes', '\\'],
  ['apostrophes', "filename*='"],
])('a Content-Disposition of %s takes time by its length, no more', (_what, part) => {
  const startedMs = performance.now()
  filenameOf(`attachment; filename="${part.repeat(2_000_000 / part.length)}`)
  filenameOf(part.repeat(2_000_000 / part.length))
  // Thirty times what a response can send. In time that grows with the square of the length, this would take minutes.
  expect(performance.now() - startedMs).toBeLessThan(10_000)
})

test('a stop aborts a body that decompresses without end', async () => {
  const gigabytes = Buffer.concat(Array<Uint8Array>(1_000).fill(Bun.gzipSync(new Uint8Array(8_000_000))))
  const bomb = Bun.gzipSync(gigabytes)
  expect(bomb.length).toBeLessThan(200_000)
  await using source = await startSource(responseOf('Content-Encoding: gzip, gzip', bomb))
  using dir = tempDir()
  const stop = new AbortController()
  const job = testJob(dir.file('a.zip'), [source.url])
  const outcome = job.run({ stop: stop.signal })
  while (!job.progress.some(({ receivedBytes }) => receivedBytes > 10_000_000)) await Bun.sleep(5)
  const stoppedMs = performance.now()
  stop.abort()
  expect(await outcome).toEqual({ status: 'stopped' })
  expect(performance.now() - stoppedMs).toBeLessThan(5_000)
})

async function fetchAs(header: string, content: Uint8Array, status = '200 OK') {
  await using source = await startSource(responseOf(header, content, status))
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [source.url])
  const before = process.cpuUsage()
  await job.run()
  const { user, system } = process.cpuUsage(before)
  const stored = job.checkpoint.entries.flatMap((entry) => (entry.status === 'stored' ? [entry] : []))
  return {
    errors: job.errors,
    sizes: stored.map(({ sizeBytes }) => sizeBytes),
    processorMs: (user + system) / 1000,
  }
}

function responseOf(header: string, content: Uint8Array, status = '200 OK'): Buffer {
  const head = `HTTP/1.1 ${status}\r\n${header}\r\nContent-Length: ${content.length}\r\nConnection: close\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), content])
}

/** Responds to each request with exactly these bytes. */
async function startSource(response: Buffer) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket.end(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The source has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/a.bin`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
