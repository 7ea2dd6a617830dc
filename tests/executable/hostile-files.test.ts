// test group: prompt
import { expect, test } from 'bun:test'
import { deflateRawSync } from 'node:zlib'
import { buildDirectory } from '../support/built-directory.ts'
import { buildZip } from '../support/built-zip.ts'
import { signIn, signInOwner } from '../support/client.ts'
import { addUser, EXECUTABLE, startHoldall } from '../support/executable.ts'
import { peakMemoryBytes } from '../support/peak-memory.ts'
import { startSite } from '../support/site.ts'
import { tempDir } from '../support/temp-dir.ts'

/** That of this program and its threads alone is some 100 MB. */
const MAX_MEMORY_BYTES = 300_000_000
const TEST_TIMEOUT_MS = 240_000

/** Runs a command of the executable to its end. @returns what it printed, and its peak of memory */
async function watched(args: readonly string[], cwd: string) {
  const command = Bun.spawn([EXECUTABLE, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let peakBytes = 0
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakMemoryBytes(command.pid) ?? 0)
  }, 5)
  const stdout = await new Response(command.stdout).text()
  clearInterval(watch)
  return { stdout, peakBytes, exitCode: await command.exited }
}

test.each([
  ['many short names', 500_000, (number: number) => number.toString(36)],
  ['names of 60 KB', 2_000, (number: number) => `${number}${'x'.repeat(60_000)}`],
  ['many lists of checksums', 300_000, (number: number) => `${number}/SHA256SUMS`],
])(
  'verify judges a directory with %s in bounded memory',
  async (_what, count, nameOf) => {
    using dir = tempDir()
    const path = dir.file('a.zip')
    await buildDirectory(path, count, nameOf)
    const { stdout, peakBytes } = await watched(['verify', path, '--json'], dir.path)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, file_count: count })
    expect(peakBytes).toBeWithin(1, MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)

test(
  'verify and pull judge an archive of long lists of checksums in bounded memory',
  async () => {
    using dir = tempDir()
    const line = (index: number) => `${'ab'.repeat(32)}  ${index}`.padEnd(90, 'n')
    const content = Array.from({ length: 220_000 }, (_, index) => line(index)).join('\n')
    const packed = deflateRawSync(content)
    const list = (number: number) => ({ name: `SHA256SUMS (${number})`, content, packed, method: 8 })
    const bytes = buildZip(Array.from({ length: 8 }, (_, number) => list(number)))
    await Bun.write(dir.file('old.zip'), bytes)
    const verified = await watched(['verify', 'old.zip', '--json'], dir.path)
    expect(JSON.parse(verified.stdout)).toMatchObject({ finding_count: 220_000 })
    expect(verified.peakBytes).toBeWithin(1, MAX_MEMORY_BYTES)
    await using server = serveFile(bytes)
    const pulled = await watched(['pull', server.url, '-o', 'new.zip', '--have', 'old.zip'], dir.path)
    expect(pulled.exitCode).toBe(0)
    expect(pulled.peakBytes).toBeWithin(1, MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)

test(
  'pull keeps no entries of an older archive and a new one that list the same files under long names',
  async () => {
    using dir = tempDir()
    const path = dir.file('old.zip')
    await buildDirectory(path, 150_000, (number) => `${number}`.padEnd(600, 'x'), MANY_BYTES)
    await using server = serveFile(await Bun.file(path).bytes())
    const pulled = await watched(['pull', server.url, '-o', 'new.zip', '--have', 'old.zip'], dir.path)
    expect(pulled.exitCode).toBe(0)
    expect(pulled.peakBytes).toBeWithin(1, MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)

/** More than a file that is worth copying. */
const MANY_BYTES = 100_000

/** Serves ranges of a file. */
function serveFile(bytes: Uint8Array<ArrayBuffer>) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const [, start = 0, last = 0] = (
        /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
      ).map(Number)
      const headers = { etag: '"one"', 'content-range': `bytes ${start}-${last}/${bytes.length}` }
      return new Response(bytes.subarray(start, last + 1), { status: 206, headers })
    },
  })
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) }
}

/** In UTF-8, with what stands around them. */
const TEN_MB = 9_900_000
const repeated = (part: (index: number) => string) => {
  const parts: string[] = []
  for (let bytes = 0, index = 0; bytes < TEN_MB; index++) {
    const next = part(index)
    parts.push(next)
    bytes += Buffer.byteLength(next)
  }
  return parts.join('')
}

const HOSTILE_PAGES = {
  '/links': repeated((index) => `<a href=${index}>`),
  '/texts': `<title>ü</title>${repeated((index) => `<a href=${index}>日</a>`)}`,
  '/same': repeated(() => '<a href=x>&nbsp;</a>'),
  '/images': repeated((index) => `<img srcset="${index} 1x,b${index} 2x" alt=${index}>`),
  '/sitemap': {
    body: `<urlset>${repeated((index) => `<url><loc>http://a.test/${index}</loc></url>`)}</urlset>`,
    type: 'text/xml',
  },
  '/index': {
    body: `<sitemapindex>${repeated((index) => `<loc>x${index}</loc>`)}</sitemapindex>`,
    type: 'text/xml',
  },
  '/long-links': repeated((index) => `<a href=${`${index}/`.padEnd(980, 'x')}>日</a>`),
  '/nothing': '<a>'.repeat(TEN_MB / 3),
}

test(
  'eight pages of 10 MB of four users are looked into at once, in bounded memory',
  async () => {
    await using site = startSite(HOSTILE_PAGES)
    await using holdall = await startHoldall()
    const clients = [await signInOwner(holdall)]
    for (const name of ['b', 'c', 'd']) clients.push(await signIn(addUser(holdall, name)))
    const answers = await Promise.all(
      Object.keys(HOSTILE_PAGES).map(async (page, index) => {
        const client = clients[index % clients.length]
        const response = await client?.request('POST', '/links', { url: site.url(page) })
        return await response?.json()
      }),
    )
    for (const answer of answers) expect(answer).toMatchObject({ success: true })
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)

test(
  'a listing with folders of 10 MB each, of which little is told, is looked into in bounded memory',
  async () => {
    const names = Array.from({ length: 100 }, (_, index) => `${index}`)
    const folder = `<title>A folder</title><a href=x>A link</a><!-- ${'x'.repeat(TEN_MB)} -->`
    await using site = startSite({
      '/': `<title>Index of /</title>${names.map((name) => `<a href="${name}/">${name}/</a>`).join('')}`,
      ...Object.fromEntries(names.map((name) => [`/${name}/`, folder])),
    })
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const response = await client.request('POST', '/links', { url: site.url('/'), folders: true })
    expect(await response.json()).toMatchObject({ success: true })
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)
