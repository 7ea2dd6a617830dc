import { expect, test } from 'bun:test'
import { WorkerCrashed } from '../../../server/engine/job-runner.ts'
import { CRASHING_HELPER_CHANNEL } from '../../support/crashing-helper-channel.ts'
import { startHttpServer } from '../../support/origin/http-server.ts'
import { expectedBytes } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const CRASHING_HELPER = new URL('../../support/crashing-helper.ts', import.meta.url)
const TEXT_BYTES = 60_000

test('a helper that crashes while it compresses a text ends the run as a crash, and the next run completes it', async () => {
  const connected = Promise.withResolvers<void>()
  const channel = new BroadcastChannel(CRASHING_HELPER_CHANNEL)
  channel.onmessage = () => connected.resolve()
  // Helpers are connected for the first long text. The others come one after the other once they are, so that one of them is lost.
  await using source = await startHttpServer(async ({ path }) => {
    const number = Number(path.slice(1))
    if (number > 0) await connected.promise
    await Bun.sleep(20 * number)
    const headers = { 'Content-Type': 'text/plain', 'Content-Length': `${TEXT_BYTES}` }
    return { headers, body: [expectedBytes(TEXT_BYTES)] }
  })
  using dir = tempDir()
  const texts = Array.from({ length: 40 }, (_, number) => `http://127.0.0.1:${source.port}/${number}`)
  const job = testJob(dir.file('a.zip'), texts)
  await expect(job.run({ workerUrl: CRASHING_HELPER })).rejects.toBeInstanceOf(WorkerCrashed)
  channel.close()
  expect(await job.run()).toMatchObject({ status: 'completed', fileCount: texts.length })
})
