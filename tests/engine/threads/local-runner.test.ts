import { expect, test } from 'bun:test'
import { WorkerCrashed } from '../../../server/engine/job-runner.ts'
import { CRASHING_HELPER_CHANNEL } from '../../support/crashing-helper-channel.ts'
import { startHttpServer } from '../../support/origin/http-server.ts'
import { expectedBytes } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const CRASHING_HELPER = new URL('../../support/crashing-helper.ts', import.meta.url)
const TEXTS = 40
const TEXT_BYTES = 60_000

test('a helper that crashes while it compresses a text ends the run as a crash, and the next run completes it', async () => {
  const connected = Promise.withResolvers<void>()
  const channel = new BroadcastChannel(CRASHING_HELPER_CHANNEL)
  channel.onmessage = () => connected.resolve()
  // Helpers are connected for the first long text. Once they are, each text comes when the one before is stored, until one is lost.
  const stored = Array.from({ length: TEXTS }, () => Promise.withResolvers<void>())
  await using source = await startHttpServer(async ({ path }) => {
    const number = Number(path.slice(1))
    if (number > 0) await connected.promise
    await stored[number - 1]?.promise
    const headers = { 'Content-Type': 'text/plain', 'Content-Length': `${TEXT_BYTES}` }
    return { headers, body: [expectedBytes(TEXT_BYTES)] }
  })
  using dir = tempDir()
  const texts = Array.from({ length: TEXTS }, (_, number) => `http://127.0.0.1:${source.port}/${number}`)
  const job = testJob(dir.file('a.zip'), texts)
  const run = job.run({
    workerUrl: CRASHING_HELPER,
    onCommit(changes) {
      for (const change of changes)
        if (change.kind === 'put' && change.entry.status === 'stored')
          stored[change.entry.position]?.resolve()
    },
  })
  await expect(run).rejects.toBeInstanceOf(WorkerCrashed)
  channel.close()
  for (const { resolve } of stored) resolve()
  expect(await job.run()).toMatchObject({ status: 'completed', fileCount: texts.length })
})
