import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobOutcome } from '../../server/engine/job-order.ts'
import type { JobRunner } from '../../server/engine/job-runner.ts'
import { WorkerPool } from '../../server/engine/threads/pool.ts'
import { openWarmRunner } from '../../server/engine/warm-runner.ts'
import { openLog } from '../../server/logging/log.ts'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { plainOrder } from '../support/plain-order.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())

test('the warm-up packs 2,000 files, records nothing, and deletes them', async () => {
  await using warm = openWarm()
  warm.runner.warmUp()
  await until(() => warm.ended.length > 0)
  expect(warm.ended).toMatchObject([{ jobId: 'warm-up', outcome: { status: 'completed', fileCount: 2000 } }])
  await until(() => warm.logged.length > 0)
  expect(warm.logged).toEqual([expect.stringContaining(' debug warm-up completed')])
  expect(existsSync(warm.directory)).toBeFalse()
})

test('a job that comes during the warm-up begins when it has stopped, and is completed', async () => {
  await using warm = openWarm()
  warm.runner.warmUp()
  await until(() => existsSync(warm.directory))
  expect(await warm.run()).toMatchObject({ status: 'completed', fileCount: 1 })
  expect(warm.ended).toMatchObject([
    { jobId: 'warm-up', outcome: { status: 'stopped' } },
    { jobId: 'test', outcome: { status: 'completed' } },
  ])
  expect(existsSync(warm.directory)).toBeFalse()
})

test('there is no warm-up after the first job, but what a killed service has left of one is deleted', async () => {
  await using warm = openWarm()
  mkdirSync(warm.directory)
  writeFileSync(join(warm.directory, 'archive.zip.part'), 'left')
  warm.runner.warmUp()
  await warm.run()
  await until(() => !existsSync(warm.directory))
  await warm.runner[Symbol.asyncDispose]()
  expect(warm.ended).toMatchObject([{ jobId: 'test' }])
})

test('a service that stops ends its warm-up first', async () => {
  await using warm = openWarm()
  warm.runner.warmUp()
  await until(() => existsSync(warm.directory))
  await warm.runner[Symbol.asyncDispose]()
  expect(warm.ended).toMatchObject([{ jobId: 'warm-up', outcome: { status: 'stopped' } }])
  expect(existsSync(warm.directory)).toBeFalse()
})

test('a warm-up that fails is logged at the level debug, and the first job runs', async () => {
  await using warm = openWarm('not-a-directory/warm-up')
  writeFileSync(join(warm.directory, '..'), '')
  warm.runner.warmUp()
  await until(() => warm.logged.length > 0)
  expect(warm.logged).toEqual([expect.stringContaining(' debug warm-up failed')])
  expect(await warm.run()).toMatchObject({ status: 'completed' })
})

interface Ended {
  readonly jobId: string
  readonly outcome: JobOutcome
}

/** A warm runner on real threads, and what its runs have ended with. */
function openWarm(directoryName = 'warm-up') {
  const stack = new AsyncDisposableStack()
  const dir = stack.use(tempDir())
  const logged: string[] = []
  const log = openLog({ logFormat: 'text', logLevel: 'debug' }, (line) => logged.push(line))
  const bounds = { total: 64, perHost: 32 }
  const pool = stack.use(new WorkerPool({ workerUrl: PROGRAM_FILES.workerUrl, bounds, log }))
  const ended: Ended[] = []
  const noting: JobRunner = {
    async run(order, recorder, signal) {
      const outcome = await pool.run(order, recorder, signal)
      ended.push({ jobId: order.jobId, outcome })
      return outcome
    },
  }
  const directory = dir.file(directoryName)
  const runner = stack.use(openWarmRunner(noting, directory, log))
  return {
    directory,
    ended,
    logged,
    runner,
    run: () =>
      runner.run(
        plainOrder(dir.file('first.zip'), [origin.url('/bytes/1000/a.bin')]),
        { commit() {}, progress() {} },
        new AbortController().signal,
      ),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
