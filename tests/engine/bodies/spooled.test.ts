import { expect, test } from 'bun:test'
import { type SpooledArchive, SpooledBody } from '../../../server/engine/bodies/spooled.ts'
import { DiskSpace } from '../../../server/engine/limits/disk.ts'
import { fillDiskOf } from '../../support/fill-disk.ts'
import { expectedBytes } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'

const facts = {
  position: 0,
  name: 'a.txt',
  declaredBytes: null,
  isTextLike: true,
  modifiedAtMs: 0,
  isDecoded: false,
  isHashed: false,
  validators: { etag: null, hasLastModified: false, finalUrlHash: null },
}
const about = { warning: null, sha256: null, fetched: null }
/** Never used: each body fails before it needs its job. */
const noArchive = {} as SpooledArchive

test.each([
  ['the last piece of deflate', 1000],
  ['a piece in the middle', 3_000_000],
])('when the disk is full at %s, the body fails with ENOSPC', async (_which, sizeBytes) => {
  using dir = tempDir()
  using body = new SpooledBody(dir.file('job.zip.part'), 0, true, new DiskSpace(dir.path))
  fillDiskOf(dir.file('job.zip.part.spool-0'))
  const pack = async () => {
    await body.write(expectedBytes(sizeBytes))
    await body.copyToArchive(noArchive, facts, about)
  }
  await expect(pack()).rejects.toThrow('ENOSPC')
})

test('a body whose spool file fails after its last piece fails with ENOSPC when it is packed', async () => {
  using dir = tempDir()
  using body = new SpooledBody(dir.file('job.zip.part'), 0, true, new DiskSpace(dir.path))
  fillDiskOf(dir.file('job.zip.part.spool-0'))
  // DEFLATE runs in another thread: it accepts pieces until the failure of an earlier one is known.
  const failed = async () => {
    for (;;) await body.write(expectedBytes(1000)).then(() => new Promise(setImmediate))
  }
  await expect(failed()).rejects.toThrow('ENOSPC')
  await expect(body.copyToArchive(noArchive, facts, about)).rejects.toThrow('ENOSPC')
})
