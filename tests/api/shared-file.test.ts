import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { startFileSource } from '../support/file-source.ts'
import { flipByte } from '../support/flip-byte.ts'
import { forFile } from '../support/for-file.ts'
import { readZip } from '../support/read-zip.ts'
import { startService } from '../support/service.ts'
import { sha256 } from '../support/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

/** Stored: its type is binary. */
const STORED = random(3_000_000)
/** Deflated: its type is text. */
const TEXT = 'line after line of text, '.repeat(200_000)

const source = forFile(
  startFileSource({
    'photo.jpg': { type: 'image/jpeg', body: STORED },
    'log.txt': { type: 'text/plain', body: TEXT },
    'empty.bin': { type: 'application/octet-stream', body: '' },
    'small.bin': { type: 'application/octet-stream', body: STORED.slice(0, 1000) },
    'page.html': { type: 'text/html', body: '<!doctype html><script>document.title = "run"</script>' },
    'drawing.svg': { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    'Köln "5%".pdf': { type: 'application/pdf', body: 'pdf' },
  }),
)
const files = forFile(tempDir())
const service = forFile(await startService())
const job = await service.finishedJob([...source.urls])
const urlOf = (position: number, of = job) => `${of.download_url}/entries/${position}`
const [PHOTO, LOG, EMPTY, SMALL, PAGE, DRAWING, PDF] = [0, 1, 2, 3, 4, 5, 6]

const get = (position: number, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(urlOf(position), { method, headers })

/** Takes nothing of the body, so that no response stays open. */
async function statusOf(position: number, headers: Record<string, string>) {
  const response = await get(position, headers)
  await response.body?.cancel()
  return response.status
}

async function curl(...args: string[]) {
  const child = Bun.spawn(['curl', '-sS', ...args], { stdout: 'pipe', stderr: 'pipe' })
  return { stdout: await child.stdout.text(), exitCode: await child.exited }
}

describe('GET /download/:token/entries/:position', () => {
  test('sends each file as it is in the ZIP', async () => {
    await Bun.write(files.file('all.zip'), await fetch(job.download_url))
    const inZip = await readZip(files.file('all.zip'))
    expect(inZip.map(({ isDeflated }) => isDeflated)).toContain(true)
    for (const [position, { sizeBytes, sha256: digest }] of inZip.entries()) {
      const response = await get(position)
      const bytes = await response.bytes()
      expect([response.status, bytes.length, sha256(bytes)]).toEqual([200, sizeBytes, digest])
    }
  })

  test.each([
    [PHOTO, 'image/jpeg', false],
    [LOG, 'text/plain', true],
    [EMPTY, 'application/octet-stream', true],
    [PAGE, 'text/html', true],
    [DRAWING, 'image/svg+xml', true],
    [PDF, 'application/pdf', false],
  ])('file %i is %s, always an attachment, and in a sandbox: %p', async (position, type, isSandboxed) => {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await get(position, {}, method)
      expect(headers.get('content-type')).toBe(type)
      expect(headers.get('content-disposition')).toStartWith('attachment; filename="')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('private')
      expect(headers.get('content-security-policy')?.includes('sandbox')).toBe(isSandboxed)
    }
  })

  test.each([
    ...['app.js', 'app.mjs', 'app.cjs', 'APP.JS', 'app.ts', 'app.tsx', 'app.mts', 'app.es', 'app.css'],
    ...['code.wasm', 'page.xhtml', 'page.shtml', 'feed.xml', 'style.xsl', 'drawing.svgz', 'x.constructor'],
  ])('%s is nothing that a page of this origin could run or be styled by', async (filename) => {
    const own = await service.finishedJob([], {
      urls: undefined,
      files: [{ url: source.urls[SMALL], filename }],
    })
    const { headers } = await fetch(urlOf(0, own))
    expect(headers.get('content-type')).not.toMatch(/script|css|wasm/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('content-disposition')).toStartWith('attachment')
  })

  test('a sandboxed file may run no script and load nothing', async () => {
    const { headers } = await get(PAGE)
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'")
  })

  test('the name of the download is that of the file, without folders', async () => {
    const own = await service.request('POST', '/jobs', {
      body: { files: [{ url: source.urls[SMALL], filename: 'a/b/Köln "5%".bin' }] },
    })
    const { download_url } = await service.jobIn(own.body.job_id, ['completed'])
    const { headers } = await fetch(`${download_url}/entries/0`)
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="K_ln _5__.bin"; filename*=UTF-8''K%C3%B6ln%20_5%25_.bin`,
    )
  })

  test('HEAD has the size and no body', async () => {
    for (const [position, sizeBytes] of [
      [PHOTO, STORED.length],
      [LOG, TEXT.length],
      [EMPTY, 0],
    ] as const) {
      const response = await get(position, {}, 'HEAD')
      expect(response.headers.get('content-length')).toBe(String(sizeBytes))
      expect(await response.text()).toBe('')
    }
  })

  test('a file that the client has is 304, and each file has a tag of its own', async () => {
    const { headers } = await get(PHOTO, {}, 'HEAD')
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    expect((await get(LOG, {}, 'HEAD')).headers.get('etag')).not.toBe(etag)
    expect((await fetch(job.download_url, { method: 'HEAD' })).headers.get('etag')).not.toBe(etag)
    expect(await statusOf(PHOTO, { 'if-none-match': etag })).toBe(304)
    expect(await statusOf(LOG, { 'if-none-match': etag })).toBe(200)
    expect(await statusOf(PHOTO, { 'if-match': '"x"' })).toBe(412)
    const modified = headers.get('last-modified') ?? ''
    expect(await statusOf(PHOTO, { 'if-modified-since': modified })).toBe(304)
  })

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, STORED.length],
    ['bytes=-5', STORED.length - 5, STORED.length],
    ['bytes=0-', 0, STORED.length],
  ])('a stored file has ranges: %s', async (range, start, end) => {
    const response = await get(PHOTO, { range })
    expect(response.status).toBe(206)
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${STORED.length}`)
    expect(sha256(await response.bytes())).toBe(sha256(STORED.slice(start, end)))
  })

  test('a range beyond a stored file is RANGE_NOT_SATISFIABLE, and If-Range decides', async () => {
    const beyond = await get(PHOTO, { range: `bytes=${STORED.length}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${STORED.length}`])
    expect(await statusOf(PHOTO, { range: 'bytes=0-9', 'if-range': '"x"' })).toBe(200)
  })

  test('a compressed file has no ranges: the whole file comes', async () => {
    const response = await get(LOG, { range: 'bytes=0-9' })
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, 'none'])
    expect(await response.text()).toBe(TEXT)
  })

  test('curl gets ranges and resumes a stored file', async () => {
    const part = files.file('photo.jpg')
    await Bun.write(part, STORED.slice(0, 1_234_567))
    const { stdout, exitCode } = await curl('-C', '-', '-w', '%{http_code}', '-o', part, urlOf(PHOTO))
    expect([stdout, exitCode]).toEqual(['206', 0])
    expect(sha256(readFileSync(part))).toBe(sha256(STORED))
    await curl('-r', '1000-1999', '-o', files.file('range'), urlOf(PHOTO))
    expect(sha256(readFileSync(files.file('range')))).toBe(sha256(STORED.slice(1000, 2000)))
  })

  test.each(['7', '99999', '-1', '1.5', 'x', '1e1', '%00', ''])(
    'position %p is NOT_FOUND',
    async (position) => {
      const reply = await service.request('GET', `${new URL(job.download_url).pathname}/entries/${position}`)
      // `/entries/` is not `/entries`.
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    },
  )

  test('the bytes that were sent are counted', async () => {
    const served = async () => {
      const text = await (await fetch(`${service.origin}/metrics`)).text()
      return Number(/^holdall_served_bytes_total (\d+)/m.exec(text)?.[1])
    }
    const before = await served()
    await (await get(PHOTO, { range: 'bytes=0-99' })).bytes()
    await get(PHOTO, {}, 'HEAD')
    expect(await served()).toBe(before + 100)
  })

  test('clients that go away leave no file open', async () => {
    const open = () => Bun.spawnSync(['ls', '-l', `/proc/${process.pid}/fd`]).stdout.toString()
    for (let clients = 0; clients < 20; clients++) {
      const abort = new AbortController()
      await fetch(urlOf(LOG), { signal: abort.signal })
      abort.abort()
    }
    await until('the archive is closed', () => !open().includes(`${job.id}.zip`))
  })
})

describe('A damaged file', () => {
  /** Where a byte changes, counted from the name of the file in its local header. */
  const DAMAGED_AT = { 'photo.jpg': 2_000_000, 'log.txt': 3_000, 'small.bin': 600 } as const

  /** Changes a byte of a file in the finished archive of a service of its own. */
  async function damage(name: keyof typeof DAMAGED_AT) {
    const own = await startService()
    const damaged = await own.finishedJob([...source.urls])
    const zip = `${own.dataDir}/archives/${damaged.id}.zip`
    flipByte(zip, readFileSync(zip).indexOf(name) + DAMAGED_AT[name])
    const { entries } = (await own.request('GET', `/jobs/${damaged.id}/entries`)).body
    const { position } = entries.find((entry: { name: string }) => entry.name === name)
    return { own, url: urlOf(position, damaged) }
  }

  test.each(['photo.jpg', 'log.txt'] as const)('%s breaks off before its end', async (name) => {
    const { own, url } = await damage(name)
    await using _service = own
    const { stdout, exitCode } = await curl('-w', '%{size_download}', '-o', '/dev/null', url)
    expect(exitCode).not.toBe(0)
    expect(Number(stdout)).toBeLessThan(name === 'photo.jpg' ? STORED.length : TEXT.length)
    expect(own.logged.filter((line) => line.includes('a file in an archive is damaged'))).toHaveLength(1)
  })

  test('small.bin is UNAVAILABLE', async () => {
    const { own, url } = await damage('small.bin')
    await using _service = own
    const reply = await own.request('GET', new URL(url).pathname, { key: null })
    expect([reply.status, reply.body.error.code]).toEqual([503, 'UNAVAILABLE'])
  })
})

function random(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes)
  for (let start = 0; start < sizeBytes; start += 65_536) {
    crypto.getRandomValues(bytes.subarray(start, Math.min(start + 65_536, sizeBytes)))
  }
  return bytes
}
