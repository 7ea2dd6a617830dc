import { expect, test } from 'bun:test'
import { WorkerPool } from '../../../server/engine/threads/pool.ts'
import { openLog } from '../../../server/logging/log.ts'
import { DEFAULT_FETCH_SETTINGS } from '../../support/default-fetch-settings.ts'
import { startRawOrigin, whole } from '../../support/origin/raw-origin.ts'
import { startOrigin } from '../../support/origin.ts'
import { plainOrder } from '../../support/plain-order.ts'
import { PROGRAM_FILES } from '../../support/service.ts'
import { tempDir } from '../../support/temp-dir.ts'

test('the jobs of a thread use the connections of those before them', async () => {
  const jobCount = 40
  await using origin = await startRawOrigin((socket, target) => void socket.write(whole(target)))
  using dir = tempDir()
  await using pool = openPool()
  for (let job = 0; job < jobCount; job++) {
    const order = plainOrder(dir.file(`${job}.zip`), [`http://${origin.host}/${job}`])
    const outcome = await pool.run(order, { async commit() {}, progress() {} }, new AbortController().signal)
    expect(outcome).toMatchObject({ status: 'completed', fileCount: 1 })
  }
  expect(origin.connectionCount()).toBeLessThan(jobCount / 2)
})

test('a stop in the moment in which the job gets its thread stops it', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  await using pool = openPool()
  const stop = new AbortController()
  const order = plainOrder(dir.file('a.zip'), [origin.url('/bytes/1000/a.bin')])
  const run = pool.run(order, { async commit() {}, progress() {} }, stop.signal)
  stop.abort()
  expect(await run).toEqual({ status: 'stopped' })
  expect(origin.requests('/bytes/1000/a.bin')).toEqual([])
})

function openPool(): WorkerPool {
  return new WorkerPool({
    workerUrl: PROGRAM_FILES.workerUrl,
    reach: { bounds: { total: 64, perHost: 32 }, fetching: DEFAULT_FETCH_SETTINGS },
    log: openLog(undefined, () => {}),
  })
}
