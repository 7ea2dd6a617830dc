/**
 * The durable ceiling: `ceiling.ts LIST OUT CONNECTIONS store|deflate` fetches the URLs of a list with Bun's `fetch` in
 * one thread, and writes a ZIP that is durable at the end, by one fdatasync. It has no checks of addresses or names, no
 * checkpoints, no retries and no database, so that no service on this runtime can be faster in one thread. Prints the
 * milliseconds from the list in memory to the durable archive.
 */
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync, writevSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type BareEntry, directoryOf, localHeader, localHeaderBytes } from './bare-zip.ts'
import { STREAM_BYTES } from './stream-bytes.ts'

const [list = '', out = '', connections = '', method = ''] = process.argv.slice(2)
const urls = readFileSync(list, 'utf8').trim().split('\n')
const startedMs = performance.now()
const fd = openSync(out, 'w')
const entries: BareEntry[] = []
let next = 0
let endOffset = 0

await Promise.all(Array.from({ length: Number(connections) }, fetchInTurn))
writeAt([directoryOf(entries, endOffset)], endOffset)
fdatasyncSync(fd)
closeSync(fd)
console.log(performance.now() - startedMs)

async function fetchInTurn(): Promise<void> {
  for (let index = next++; index < urls.length; index = next++) {
    const url = urls[index] ?? ''
    const response = await fetch(url)
    const declaredBytes = Number(response.headers.get('content-length'))
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`)
    const name = Buffer.from(url.slice(url.lastIndexOf('/') + 1))
    if (declaredBytes < STREAM_BYTES) writeWhole(name, new Uint8Array(await response.arrayBuffer()))
    else await writeStream(name, response.body, declaredBytes)
  }
}

function writeWhole(name: Buffer, bytes: Uint8Array<ArrayBuffer>): void {
  const isDeflated = method === 'deflate'
  const content = isDeflated ? Bun.deflateSync(bytes, { library: 'libdeflate', level: 6 }) : bytes
  const entry = {
    name,
    method: isDeflated ? 8 : 0,
    crc32: crc32(bytes),
    compressedBytes: content.length,
    sizeBytes: bytes.length,
    offset: endOffset,
  }
  entries.push(entry)
  endOffset += localHeaderBytes(entry) + content.length
  writeAt([localHeader(entry), content], entry.offset)
}

/** Writes a stored body to its own place, while other bodies are written to theirs. */
async function writeStream(
  name: Buffer,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  sizeBytes: number,
): Promise<void> {
  const entry = { name, method: 0, crc32: 0, compressedBytes: sizeBytes, sizeBytes, offset: endOffset }
  entries.push(entry)
  let at = endOffset + localHeaderBytes(entry)
  endOffset = at + sizeBytes
  for await (const piece of body) {
    entry.crc32 = crc32(piece, entry.crc32)
    writeSync(fd, piece, 0, piece.length, at)
    at += piece.length
  }
  if (at !== entry.offset + localHeaderBytes(entry) + sizeBytes) throw new Error('A body has another length.')
  writeAt([localHeader(entry)], entry.offset)
}

function writeAt(pieces: Uint8Array[], position: number): void {
  const lengthBytes = pieces.reduce((sum, { length }) => sum + length, 0)
  if (writevSync(fd, pieces, position) !== lengthBytes)
    throw new Error('The disk took less than it was given.')
}
