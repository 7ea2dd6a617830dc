/**
 * The source of the benchmark, in a process of its own: `/SIZE/LATENCY/N?type=TYPE` is a body of so many bytes.
 * Prints its port. Bodies come from files by sendfile, so that the source costs as little as it can.
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

/** Rows as an API gives them, from a fixed sequence: they deflate about as well as real ones. */
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
      // Else Bun gives the name of the file, and all entries would have one and the same.
      headers: { 'content-type': type, etag: `"${sizeBytes}"`, 'content-disposition': 'attachment' },
    })
  },
})
console.log(server.port)
