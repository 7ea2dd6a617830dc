/**
 * The origin of the benchmark, in its own process: `/SIZE/LATENCY/N?type=TYPE` is a body of SIZE bytes after LATENCY ms. Prints
 * its port. Sends bodies from files by sendfile, to use as little processor time as possible.
 */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [directory = ''] = process.argv.slice(2)
mkdirSync(directory, { recursive: true })
const files = new Map<number, string>()

function fileOf(sizeBytes: number): string {
  const known = files.get(sizeBytes)
  if (known !== undefined) return known
  const path = join(directory, String(sizeBytes))
  writeFileSync(path, text(Math.min(sizeBytes, 5_000_000)))
  truncateSync(path, sizeBytes)
  files.set(sizeBytes, path)
  return path
}

/** Rows like those of an API, from a fixed sequence. They compress about as well as real ones. */
function text(sizeBytes: number): string {
  let seed = 1
  const next = (bound: number) => {
    seed = (seed * 48271) % 0x7fffffff
    return seed % bound
  }
  const words = Array.from({ length: 2000 }, () => next(0x7fffffff).toString(36))
  const rows: string[] = []
  for (let length = 0; length < sizeBytes; length += rows.at(-1)?.length ?? 0) {
    const note = Array.from({ length: 8 }, () => words[Math.min(next(2000), next(2000))]).join(' ')
    rows.push(`${JSON.stringify({ id: next(1e9), name: words[next(2000)], note, ok: next(2) === 1 })}\n`)
  }
  return rows.join('').slice(0, sizeBytes)
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const url = new URL(request.url)
    const [sizeBytes = 0, latencyMs = 0] = url.pathname.split('/').slice(1).map(Number)
    if (latencyMs > 0) await Bun.sleep(latencyMs)
    const type = url.searchParams.get('type') ?? 'application/octet-stream'
    return new Response(Bun.file(fileOf(sizeBytes)), {
      // Otherwise Bun sends the name of the file, and all entries would have the same name.
      headers: { 'content-type': type, etag: `"${sizeBytes}"`, 'content-disposition': 'attachment' },
    })
  },
})
console.log(server.port)
