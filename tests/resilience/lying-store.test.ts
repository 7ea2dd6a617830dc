import { describe, expect, test } from 'bun:test'
import { readRange } from '../../server/archive/reading/reader.ts'
import { openArchiveStore } from '../../server/archive-store/archive-store.ts'
import { LinkedArchive } from '../../server/archive-store/linked-archive.ts'
import { errorCodeIn, StoreError } from '../../server/archive-store/store-error.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../support/hostile-input.ts'
import { tempDir } from '../support/temp-dir.ts'

const NEVER = new AbortController().signal
const MB = 1_000_000
/** What a test may read of a response that never ends: the limit, and the buffers of the sockets. */
const MAX_SENT_BYTES = 40 * MB

describe('A store that sends more than was asked for', () => {
  test('fails a list that never ends, which does not fill memory', async () => {
    using store = startStore(() => endless('<UploadId>'))
    await expect(store.archives.check(NEVER)).rejects.toThrow('sends more than was asked for')
    expect(store.sentBytes()).toBeLessThan(MAX_SENT_BYTES)
  })

  test('fails an error that never ends', async () => {
    using store = startStore(() => endless('<Error>', 403))
    await expect(store.archives.check(NEVER)).rejects.toThrow('refuses the credentials')
    expect(store.sentBytes()).toBeLessThan(MAX_SENT_BYTES)
  })

  test('fails the list of the parts of an upload that always has another page', async () => {
    using dir = tempDir()
    await Bun.write(dir.file('a.zip'), new Uint8Array(9 * MB))
    let pages = 0
    using store = startStore(({ method, url }) => {
      if (method === 'HEAD') return new Response(null, { status: 404 })
      if (!url.includes('part-number-marker')) return new Response('<UploadId>one</UploadId>')
      if (method === 'GET') pages += 1
      return new Response(
        '<IsTruncated>true</IsTruncated><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part>',
      )
    })
    const file = { path: dir.file('a.zip'), sizeBytes: 9 * MB }
    await expect(store.archives.upload('a.zip', file, NEVER)).rejects.toThrow(StoreError)
    expect(pages).toBeLessThan(3)
  })

  test('fails the download of an archive, after no more bytes than it has', async () => {
    using store = startStore(() => endless('x', 206, { 'content-range': 'bytes 10-1009/5000' }))
    let received = 0
    const read = async () => {
      for await (const piece of store.archives.content('a.zip').pieces(10, 1000)) received += piece.length
    }
    await expect(read()).rejects.toThrow('sends more than was asked for')
    expect(received).toBeLessThanOrEqual(1000)
    expect(store.sentBytes()).toBeLessThan(MAX_SENT_BYTES)
  })

  test('gives nothing to a job that copies from its archive', async () => {
    using store = startStore(() => endless('x', 206, { 'content-range': 'bytes 10-1009/5000' }))
    const archive = new LinkedArchive(`${store.origin}/a.zip`, NEVER)
    expect(await Array.fromAsync(archive.pieces(10, 1000))).toEqual([])
    expect(store.sentBytes()).toBeLessThan(MAX_SENT_BYTES)
  })
})

describe('A store that sends other bytes than was asked for', () => {
  const wrong = [
    ['another range', 206, 'bytes 0-999/5000'],
    ['a range of another unit', 206, 'lines 10-1009/5000'],
    ['no range', 206, ''],
    ['the whole archive', 200, ''],
  ] as const

  test.each(wrong)('fails a download: %s', async (_what, status, range) => {
    using store = startStore(() => rangeOf(status, range))
    const read = Array.fromAsync(store.archives.content('a.zip').pieces(10, 1000))
    await expect(read).rejects.toThrow(StoreError)
  })

  test.each(wrong)(
    'gives nothing to a job that copies from its archive: %s',
    async (_what, status, range) => {
      using store = startStore(() => rangeOf(status, range))
      const archive = new LinkedArchive(`${store.origin}/a.zip`, NEVER)
      expect(await Array.fromAsync(archive.pieces(10, 1000))).toEqual([])
    },
  )
})

describe('A store that sends less than was asked for', () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 251)
  /** Sends so many bytes of a range and ends the connection as if they were all. */
  const sendingAtMost = (maxBytes: number) => (request: Request) => {
    const [, first = 0, last = 0] =
      /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '')?.map(Number) ?? []
    const end = Math.min(last + 1, bytes.length)
    const headers = { 'content-range': `bytes ${first}-${end - 1}/${bytes.length}` }
    return new Response(bytes.slice(first, Math.min(end, first + maxBytes)), { status: 206, headers })
  }

  test('is asked for the rest, by a download and by a job that copies from its archive', async () => {
    using store = startStore(sendingAtMost(400))
    const archive = new LinkedArchive(`${store.origin}/a.zip`, NEVER)
    for (const reader of [archive, store.archives.content('a.zip')])
      expect(await readRange(reader, 10, 1000)).toEqual(bytes.slice(10, 1010))
  })

  test('because the archive ends there, gives a job what there is, and ends no download as if it were whole', async () => {
    using store = startStore(sendingAtMost(Infinity))
    const archive = new LinkedArchive(`${store.origin}/a.zip`, NEVER)
    expect(await readRange(archive, 4500, 1000)).toEqual(bytes.slice(4500))
    expect(await readRange(archive, 0, 10)).toEqual(bytes.slice(0, 10))
    await expect(readRange(store.archives.content('a.zip'), 4500, 1000)).rejects.toThrow(StoreError)
  })
})

test('The code of an error is found in linear time', () => {
  const find = () => {
    expect(errorCodeIn('<Error>'.repeat(1_000_000))).toBe('')
    expect(errorCodeIn(`<Error>${'<Code>'.repeat(1_000_000)}`)).toBe('')
  }
  expect(processorSeconds(find)).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
})

function rangeOf(status: number, range: string): Response {
  const headers = range === '' ? {} : { 'content-range': range }
  return new Response(new Uint8Array(1000), { status, headers })
}

interface FakeStore extends Disposable {
  readonly origin: string
  readonly archives: ReturnType<typeof openArchiveStore>
  sentBytes(): number
}

interface Endless {
  readonly text: string
  readonly status: number
  readonly headers: Record<string, string>
}

function endless(text: string, status = 200, headers: Record<string, string> = {}): Endless {
  return { text: text.repeat(Math.ceil(65_536 / text.length)), status, headers }
}

/** A store that responds to every request like this, and counts what it sends of responses that never end. */
function startStore(respond: (request: Request) => Response | Endless): FakeStore {
  let sentBytes = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const response = respond(request)
      if (response instanceof Response) return response
      const piece = new TextEncoder().encode(response.text)
      const body = new ReadableStream({
        pull(controller) {
          // The limit of a test that fails.
          if (sentBytes > 400 * MB) return controller.close()
          sentBytes += piece.length
          controller.enqueue(piece)
        },
      })
      return new Response(body, { status: response.status, headers: response.headers })
    },
  })
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: null }
  const address = { bucket: 'zips', prefix: '', endpoint: server.url.origin, region: 'us-east-1' }
  return {
    origin: server.url.origin,
    archives: openArchiveStore({ ...address, ...credentials }, true),
    sentBytes: () => sentBytes,
    [Symbol.dispose]: () => void server.stop(true),
  }
}
