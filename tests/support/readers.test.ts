import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import JSZip from 'jszip'
import { expectReadable } from './readers.ts'
import { sha256 } from './sha256.ts'
import { tempDir } from './temp-dir.ts'

const TEXTS = { 'a.txt': 'first', 'größe/b.txt': 'second', '日本.txt': 'third' }
const expected = Object.entries(TEXTS).map(([name, text]) => ({
  name,
  sha256: sha256(text),
  sizeBytes: text.length,
}))

async function writeZip(path: string): Promise<void> {
  const zip = new JSZip()
  for (const [name, text] of Object.entries(TEXTS)) zip.file(name, text, { createFolders: false })
  writeFileSync(path, await zip.generateAsync({ type: 'uint8array', platform: 'UNIX' }))
}

test('An archive with the expected entries in the expected order is accepted', async () => {
  using dir = tempDir()
  await writeZip(dir.file('good.zip'))
  await expectReadable(dir.file('good.zip'), expected)
})

test('An archive with another number, order or content of entries is refused', async () => {
  using dir = tempDir()
  const path = dir.file('good.zip')
  await writeZip(path)
  await expect(expectReadable(path, expected.slice(1))).rejects.toThrow()
  await expect(expectReadable(path, expected.toReversed())).rejects.toThrow()
  const otherBytes = expected.map((entry) => ({ ...entry, sha256: sha256('other') }))
  await expect(expectReadable(path, otherBytes)).rejects.toThrow()
})

test('A damaged archive is refused', async () => {
  using dir = tempDir()
  const path = dir.file('bad.zip')
  await writeZip(path)
  const bytes = readFileSync(path)
  bytes.set([0xff, 0xff], bytes.indexOf('first'))
  writeFileSync(path, bytes)
  await expect(expectReadable(path, expected)).rejects.toThrow()
})
