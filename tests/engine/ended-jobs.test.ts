import { fullGC } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'
import { testJob } from '../support/test-job.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())

const JOBS = 8

/** @returns a reference to something that the run of the job has led to */
async function runJob(archivePath: string): Promise<WeakRef<object>> {
  // The second is long enough for a helper to compress it.
  const paths = ['/bytes/3000/a.bin', '/bytes/30000/a.txt?type=text/plain']
  const job = testJob(archivePath, paths.map(origin.url))
  expect(await job.run()).toMatchObject({ status: 'completed' })
  return new WeakRef(job.commits)
}

test('a job that has ended leaves nothing in the memory of its thread', async () => {
  using dir = tempDir()
  const references: WeakRef<object>[] = []
  for (let job = 0; job < JOBS; job++) references.push(await runJob(dir.file(`${job}.zip`)))
  const keptCount = () => references.filter((reference) => reference.deref() !== undefined).length
  // What is referred to in a turn of the event loop, as here, stays until its end.
  const areFreed = () => {
    fullGC()
    // An address that is still on the stack, or looks like it, keeps one or the other.
    return keptCount() <= JOBS / 2
  }
  await until('most jobs are freed', areFreed, { deadlineMs: 10_000 })
})
