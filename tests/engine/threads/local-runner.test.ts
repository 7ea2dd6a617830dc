import { expect, test } from 'bun:test'
import { WorkerCrashed } from '../../../server/engine/job-runner.ts'
import { startOrigin } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const CRASHING_HELPER = new URL('../../support/crashing-helper.ts', import.meta.url)

test('a helper that crashes while it compresses a text ends the run as a crash, and the next run completes it', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  // Helpers are connected for the first long text, so that one of the later ones is lost.
  const texts = Array.from({ length: 40 }, (_, n) =>
    origin.url(`/bytes/60000/${n}.txt?type=text/plain&delay_ms=${n * 20}`),
  )
  const job = testJob(dir.file('a.zip'), texts)
  await expect(job.run({ workerUrl: CRASHING_HELPER })).rejects.toBeInstanceOf(WorkerCrashed)
  expect(await job.run()).toMatchObject({ status: 'completed', fileCount: texts.length })
}, 20_000)
