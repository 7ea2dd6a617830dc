import { describe, expect, test } from 'bun:test'
import { appendFileSync, cpSync, existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { MEMBERS } from '../../server/backup/formats/members.ts'
import { StartRefused } from '../../server/errors.ts'
import { flipByte } from '../support/flip-byte.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { restoreTo } from '../support/restore-to.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const TAR_BLOCK_BYTES = 512

const sources = forFile(startSources())
const service = forFile(await startService())
const dir = forFile(tempDir())
const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/ok/b')])
for (const name of ['whole.tar', 'whole/'])
  await runCommand(['backup', dir.file(name), '--data', service.dataDir])

/** Expects that a backup is refused, and that nothing is left of the restore. */
async function expectRefused(own: TempDir, from: string, damage: unknown): Promise<void> {
  const error = await restoreTo(own.file('data'), from).catch((reason: unknown) => reason)
  expect([damage, error]).toEqual([damage, expect.any(StartRefused)])
  expect([damage, existsSync(own.file('data'))]).toEqual([damage, false])
}

describe('A damaged backup is refused and leaves nothing behind', () => {
  test('when one bit of a header, of a file, of the list of checksums or of the end is changed', async () => {
    using own = tempDir()
    const path = own.file('b.tar')
    cpSync(dir.file('whole.tar'), path)
    const { size } = statSync(path)
    const every = (step: number, from: number, to: number) =>
      Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step)
    const header = every(3, 0, TAR_BLOCK_BYTES)
    const middle = every(4001, TAR_BLOCK_BYTES, size)
    const end = every(23, size - 4 * TAR_BLOCK_BYTES, size)
    for (const position of [...header, ...middle, ...end]) {
      flipByte(path, position)
      await expectRefused(own, path, position)
      flipByte(path, position)
    }
    await restoreTo(own.file('data'), path)
  })

  test('when it is cut short or has grown', async () => {
    using own = tempDir()
    const path = own.file('b.tar')
    const { size } = statSync(dir.file('whole.tar'))
    const lengths = [0, 1, 512, 513, 1024, size / 2, size - 2048, size - 1024, size - 512, size - 1]
    for (const length of lengths.map(Math.floor)) {
      cpSync(dir.file('whole.tar'), path)
      truncateSync(path, length)
      await expectRefused(own, path, length)
    }
    for (const more of [1, 512, 1024]) {
      cpSync(dir.file('whole.tar'), path)
      appendFileSync(path, new Uint8Array(more))
      await expectRefused(own, path, `+${more}`)
    }
  })

  const files = [
    'backup.json',
    'holdall.db',
    'signing-secrets.json',
    'sealing-key',
    'settings.json',
    'SHA256SUMS',
    `archives/${job.id}.zip`,
  ]
  test.each(files)('when %s in a directory is changed, cut, emptied or missing', async (name) => {
    using own = tempDir()
    const path = own.file('b')
    const copy = () => {
      rmSync(path, { recursive: true, force: true })
      cpSync(dir.file('whole'), path, { recursive: true })
      return `${path}/${name}`
    }
    const { size } = statSync(copy())
    for (const position of [0, Math.floor(size / 2), size - 1]) {
      flipByte(copy(), position)
      await expectRefused(own, path, position)
    }
    for (const length of [0, size - 1]) {
      truncateSync(copy(), length)
      await expectRefused(own, path, `cut to ${length}`)
    }
    rmSync(copy())
    await expectRefused(own, path, 'missing')
  })

  test.each(['notes.txt', 'archives/notes.txt', 'archives/00000000-0000-4000-8000-000000000000.zip'])(
    'when a directory also contains %s',
    async (name) => {
      using own = tempDir()
      cpSync(dir.file('whole'), own.file('b'), { recursive: true })
      writeFileSync(own.file(`b/${name}`), 'x')
      await expectRefused(own, own.file('b'), name)
    },
  )

  test('when it is one that was being written', async () => {
    using own = tempDir()
    cpSync(dir.file('whole'), own.file('b.part'), { recursive: true })
    rmSync(own.file(`b.part/${MEMBERS.checksums}`))
    await expectRefused(own, own.file('b.part'), 'unfinished')
  })
})
