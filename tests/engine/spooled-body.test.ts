import { expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import type { JobContext } from '../../server/engine/job-context.ts'
import { SpooledBody } from '../../server/engine/spooled-body.ts'
import { expectedBytes } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'

const facts = {
  position: 0,
  name: 'a.txt',
  declaredBytes: null,
  isTextLike: true,
  modifiedAtMs: 0,
  etag: null,
}
/** Asked for nothing: the body never gets so far. */
const noJob = {} as JobContext

test.each([
  ['the last piece of deflate', 1000],
  ['a piece in the middle', 3_000_000],
])('a disk that has no room for %s ends the body with its error', async (_which, sizeBytes) => {
  using dir = tempDir()
  symlinkSync('/dev/full', dir.file('job.zip.part.spool-0'))
  using body = new SpooledBody(dir.file('job.zip.part'), 0, true)
  const pack = async () => {
    await body.write(expectedBytes(sizeBytes))
    await body.place(noJob, facts)
  }
  await expect(pack()).rejects.toThrow('ENOSPC')
})

test('a body whose spool failed between its last piece and its end ends with the error of the disk', async () => {
  using dir = tempDir()
  symlinkSync('/dev/full', dir.file('job.zip.part.spool-0'))
  using body = new SpooledBody(dir.file('job.zip.part'), 0, true)
  // Deflate works beside this thread: each piece is taken at once, until the failure of an earlier one is known.
  const failed = async () => {
    for (;;) await body.write(expectedBytes(1000)).then(() => new Promise(setImmediate))
  }
  await expect(failed()).rejects.toThrow('ENOSPC')
  await expect(body.place(noJob, facts)).rejects.toThrow('ENOSPC')
})
