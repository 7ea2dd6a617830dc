/**
 * `serve.ts WORKLOAD DIRECTORY`: the origin of one workload, which is given as JSON. Prints its port. It must be faster
 * than all contenders. So Bun sends prepared responses, or files by sendfile, and JavaScript runs per request only to
 * wait for the latency.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LARGE_BODY_BYTES, type Workload } from '../workloads.ts'
import { noise, text } from './bodies.ts'
import { bodyKinds } from './paths.ts'

/** The size of the pieces in which a file is written. */
const PIECE_BYTES = 16 * 1024 * 1024

const [json = '', directory = ''] = process.argv.slice(2)
const workload: Workload = JSON.parse(json)
const routes = bodyKinds(workload).map(({ path, seed }) => [`${path}/*`, routeOf(prepare(seed))])
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  routes: Object.fromEntries(routes),
  fetch: () => new Response('not here', { status: 404 }),
})
console.log(server.port)
// stdin closes when the benchmark ends for any reason, and then this process ends, too.
void Bun.stdin.text().then(() => process.exit())

function routeOf(respond: () => Response) {
  if (workload.latencyMs === 0) return respond()
  return async () => {
    await Bun.sleep(workload.latencyMs)
    return respond()
  }
}

function prepare(seed: number): () => Response {
  const { content, sizeBytes } = workload
  const etag = `"${seed}"`
  if (content === 'text') {
    const format = seed % 2 === 0 ? 'json' : 'html'
    const type = format === 'json' ? 'application/json' : 'text/html; charset=utf-8'
    const body = text(sizeBytes, seed, format)
    return () => new Response(body, { headers: { 'content-type': type, etag } })
  }
  const headers = { 'content-type': 'image/jpeg', etag }
  if (sizeBytes < LARGE_BODY_BYTES) {
    const body = noise(sizeBytes, seed)
    return () => new Response(body, { headers })
  }
  const file = Bun.file(noiseFile(seed))
  // Otherwise Bun sends the name of the file, and all entries would have the same name.
  return () => new Response(file, { headers: { ...headers, 'content-disposition': 'attachment' } })
}

/** Syncs the file, so that the disk does not write it during a measurement. */
function noiseFile(seed: number): string {
  const path = join(directory, `body-${seed}`)
  const piece = noise(PIECE_BYTES, seed)
  const fd = openSync(path, 'w')
  for (let at = 0; at < workload.sizeBytes; at += piece.length) {
    writeSync(fd, piece, 0, Math.min(piece.length, workload.sizeBytes - at), at)
  }
  fdatasyncSync(fd)
  closeSync(fd)
  return path
}
