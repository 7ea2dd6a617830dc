import { expect, test } from 'bun:test'
import { truncateSync, writeFileSync } from 'node:fs'
import {
  readTarHeader,
  TAR_BLOCK_BYTES,
  TAR_END_BYTES,
  tarHeader,
  tarPaddingBytes,
} from '../../../server/backup/formats/tar.ts'
import { tempDir } from '../../support/temp-dir.ts'

const GIB = 1024 ** 3
const LIST = 'import sys, tarfile\nfor m in tarfile.open(sys.argv[1]): print(m.size, m.name, m.mtime)'

test.each([0, 1, 511, 512, 8 * GIB - 1, 8 * GIB, 60 * GIB + 5])(
  'tar, bsdtar and Python read a file of %d bytes in a tar archive',
  async (sizeBytes) => {
    using dir = tempDir()
    const entry = { name: 'archives/a.zip', sizeBytes, modifiedAtSeconds: 1_780_000_000 }
    const header = tarHeader(entry)
    expect(readTarHeader(header)).toEqual(entry)
    writeFileSync(dir.file('a.tar'), header)
    // The body is a hole in the file, which needs no disk space.
    truncateSync(dir.file('a.tar'), TAR_BLOCK_BYTES + sizeBytes + tarPaddingBytes(sizeBytes) + TAR_END_BYTES)
    const utc = { PATH: process.env.PATH, TZ: 'UTC' }
    const list = async (...command: string[]) => {
      const child = Bun.spawn([...command, dir.file('a.tar')], {
        env: utc,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
      expect([command[0], errors, await child.exited]).toEqual([command[0], '', 0])
      return output.trim().split(/\s+/)
    }
    const found = await list('tar', '--numeric-owner', '--full-time', '-tvf')
    expect(found).toEqual(['-rw-------', '0/0', `${sizeBytes}`, '2026-05-28', '20:26:40', entry.name])
    expect((await list('bsdtar', '-tvf')).filter((word) => word === `${sizeBytes}`)).not.toEqual([])
    expect(await list('python3', '-c', LIST)).toEqual([`${sizeBytes}`, entry.name, '1780000000'])
  },
)

test('A header of which one bit was changed is refused', () => {
  const header = tarHeader({ name: 'holdall.db', sizeBytes: 4096, modifiedAtSeconds: 1_780_000_000 })
  for (let bit = 0; bit < 8 * header.length; bit++) {
    const damaged = header.slice()
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect([bit, readTarHeader(damaged)]).toEqual([bit, null])
  }
})
