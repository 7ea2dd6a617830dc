import { expect, test } from 'bun:test'
import { MAX_HOSTILE_INPUT_SECONDS, processorSecondsUntil } from '../support/hostile-input.ts'
import { startTcpServer } from '../support/tcp-server.ts'
import { tempDir } from '../support/temp-dir.ts'
import { testJob } from '../support/test-job.ts'
import { until } from '../support/until.ts'

const HEADER_BYTES = 60_000
const body = Bun.gzipSync('hello')

test.each([
  ['2,500 nested encodings', Array<string>(2_500).fill('gzip').join(', '), body],
  ['three encodings', 'gzip, gzip, gzip', body],
  ['an unknown encoding', 'holdall', body],
  ['Brotli in Brotli', 'br, br', body],
])(
  'a body with %s has an "Unreadable content encoding", and takes little CPU time',
  async (_what, encoding, content) => {
    const { errors, seconds } = await fetchAs(`Content-Encoding: ${encoding}`, content)
    expect(errors).toEqual([[0, 'Unreadable content encoding']])
    expect(seconds).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
  },
)

test.each([
  ['one encoding', 'gzip', body],
  ['the old name of an encoding', 'X-GZIP', body],
  ['two encodings, decoded from the last to the first', 'gzip, deflate', Bun.deflateSync(body)],
  ['only commas', ','.repeat(HEADER_BYTES), Buffer.from('hello')],
  ['only spaces', `${' '.repeat(HEADER_BYTES)},`, Buffer.from('hello')],
  ['an encoding among identity and empty elements', `${'identity, ,'.repeat(5_000)} gzip,,`, body],
])(
  'a body is decoded, and takes little CPU time, with a Content-Encoding of %s',
  async (_what, encoding, content) => {
    const { errors, sizes, seconds } = await fetchAs(`Content-Encoding: ${encoding}`, content)
    expect(errors).toEqual([])
    expect(sizes).toEqual([5])
    expect(seconds).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
  },
)

test('a redirect to a URL that is longer than a job allows is a "Malformed response"', async () => {
  const location = `Location: /${'a'.repeat(HEADER_BYTES)}`
  const { errors } = await fetchAs(location, Buffer.alloc(0), '302 Found')
  expect(errors).toEqual([[0, 'Malformed response']])
})

test('a stop aborts a body that decompresses without end', async () => {
  const pieces = 1_000
  const wholeBytes = pieces * 8_000_000
  const gigabytes = Buffer.concat(
    Array<Uint8Array>(pieces).fill(Bun.gzipSync(new Uint8Array(wholeBytes / pieces))),
  )
  const bomb = Bun.gzipSync(gigabytes)
  expect(bomb.length).toBeLessThan(200_000)
  await using source = await startSource(responseOf('Content-Encoding: gzip, gzip', bomb))
  using dir = tempDir()
  const stop = new AbortController()
  const job = testJob(dir.file('a.zip'), [`http://${source.host}/a.bin`])
  const outcome = job.run({ stop: stop.signal })
  await until('ten megabytes are received', () =>
    job.progress.some(({ receivedBytes }) => receivedBytes > 10_000_000),
  )
  stop.abort()
  expect(await outcome).toEqual({ status: 'stopped' })
  expect(job.progress.at(-1)?.receivedBytes).toBeLessThan(wholeBytes / 2)
})

async function fetchAs(header: string, content: Uint8Array, status = '200 OK') {
  await using source = await startSource(responseOf(header, content, status))
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [`http://${source.host}/a.bin`])
  const seconds = await processorSecondsUntil(async () => void (await job.run()))
  const stored = job.checkpoint.entries.flatMap((entry) => (entry.status === 'stored' ? [entry] : []))
  return {
    errors: job.errors,
    sizes: stored.map(({ sizeBytes }) => sizeBytes),
    seconds,
  }
}

function responseOf(header: string, content: Uint8Array, status = '200 OK'): Buffer {
  const head = `HTTP/1.1 ${status}\r\n${header}\r\nContent-Length: ${content.length}\r\nConnection: close\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), content])
}

/** Responds to each request with exactly these bytes. */
const startSource = (response: Buffer) =>
  startTcpServer((socket) => socket.once('data', () => socket.end(response)))
