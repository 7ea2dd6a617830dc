/**
 * `fetch-only.ts LIST CONNECTIONS`: fetches the URLs of a list as `ceiling.ts` does, and discards the bodies. Prints
 * the milliseconds, which are the network's share of the ceiling.
 */
import { readFileSync } from 'node:fs'
import { STREAM_BYTES } from './stream-bytes.ts'

const [list = '', connections = ''] = process.argv.slice(2)
const urls = readFileSync(list, 'utf8').trim().split('\n')
const startedMs = performance.now()
let next = 0
await Promise.all(Array.from({ length: Number(connections) }, fetchInTurn))
console.log(performance.now() - startedMs)

async function fetchInTurn(): Promise<void> {
  for (let index = next++; index < urls.length; index = next++) {
    const response = await fetch(urls[index] ?? '')
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`)
    const declaredBytes = Number(response.headers.get('content-length'))
    if (declaredBytes < STREAM_BYTES) await response.arrayBuffer()
    else for await (const _ of response.body);
  }
}
