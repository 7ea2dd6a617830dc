import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

test('when the database cannot record the end of a job, it is recorded as soon as possible', async () => {
  await using origin = await startOrigin()
  await using service = await startService()
  using db = new Database(join(service.dataDir, 'holdall.db'))
  db.run(`CREATE TRIGGER refuse BEFORE UPDATE OF status ON jobs WHEN NEW.status = 'completed'
          BEGIN SELECT RAISE(ABORT, 'refused'); END`)
  const ended = service.finishedJob([origin.url('/bytes/1000/a.bin')])
  await until('the end of the job could not be recorded', () =>
    service.logged.some((line) => line.includes('could not be recorded')),
  )
  db.run('DROP TRIGGER refuse')
  expect(await ended).toMatchObject({ status: 'completed', file_count: 1 })
  expect(origin.requestCount()).toBe(1)
}, 60_000)
