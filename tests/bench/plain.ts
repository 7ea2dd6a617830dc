/**
 * The baseline: fetches the same URLs over the same number of connections with Bun's `fetch`, appends the bytes to one file,
 * and calls fdatasync every 64 MB. No archive, no checks and no resuming: only network and disk.
 */
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'

const [list = '', out = ''] = process.argv.slice(2)
const urls = readFileSync(list, 'utf8').trim().split('\n')
const startedMs = performance.now()
const fd = openSync(out, 'w')
const SYNC_BYTES = 64 * 1024 * 1024
const CONNECTIONS = 32
let unsyncedBytes = 0
let next = 0

async function lane(): Promise<void> {
  for (let index = next++; index < urls.length; index = next++) {
    const response = await fetch(urls[index] ?? '')
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`)
    for await (const piece of response.body) {
      writeSync(fd, piece)
      unsyncedBytes += piece.length
      if (unsyncedBytes < SYNC_BYTES) continue
      fdatasyncSync(fd)
      unsyncedBytes = 0
    }
  }
}
await Promise.all(Array.from({ length: CONNECTIONS }, lane))
fdatasyncSync(fd)
closeSync(fd)
console.log(performance.now() - startedMs)
