import { afterEach, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type TempDir, tempDir } from '../support/temp-dir.ts'
import { type BareEntry, directoryOf, localHeader } from './scripts/bare-zip.ts'
import { openVerifier } from './verify.ts'
import type { Workload } from './workloads.ts'

const WORKLOAD: Workload = {
  name: 'W',
  title: 'three',
  count: 3,
  sizeBytes: 100,
  content: 'noise',
  latencyMs: 0,
}

let dir: TempDir
beforeEach(() => {
  dir = tempDir()
})
afterEach(() => {
  dir[Symbol.dispose]()
})

test('An archive of the whole workload is accepted', async () => {
  await verify(archive(3))
})

test('An archive that lacks an entry is refused', async () => {
  await expect(verify(archive(2))).rejects.toThrow('the archive has 2 files, 200 bytes uncompressed')
})

test('An archive with a damaged entry is refused', async () => {
  const damaged = archive(3)
  damaged[damaged.indexOf('x')] = 0
  await expect(verify(damaged)).rejects.toThrow('unzip ended with')
})

test('Only the first archive per contender and workload is read', async () => {
  const verifier = openVerifier(new AbortController().signal)
  const path = dir.file('a.zip')
  writeFileSync(path, archive(3))
  await verifier.verify('one', path, WORKLOAD)
  writeFileSync(path, archive(2))
  await verifier.verify('one', path, WORKLOAD)
  await expect(verifier.verify('another', path, WORKLOAD)).rejects.toThrow('2 files')
  await expect(verifier.verify('one', path, { ...WORKLOAD, count: 4 })).rejects.toThrow('2 files')
})

function verify(bytes: Buffer): Promise<void> {
  const path = dir.file('archive.zip')
  writeFileSync(path, bytes)
  return openVerifier(new AbortController().signal).verify('one', path, WORKLOAD)
}

function archive(count: number): Buffer {
  const body = Buffer.alloc(WORKLOAD.sizeBytes, 'x')
  const parts: Buffer[] = []
  const entries: BareEntry[] = []
  let offset = 0
  for (let index = 0; index < count; index++) {
    const sizes = { compressedBytes: body.length, sizeBytes: body.length }
    const entry = { name: Buffer.from(`${index}.bin`), method: 0, crc32: crc32(body), ...sizes, offset }
    entries.push(entry)
    parts.push(localHeader(entry), body)
    offset = Buffer.concat(parts).length
  }
  return Buffer.concat([...parts, directoryOf(entries, offset)])
}
