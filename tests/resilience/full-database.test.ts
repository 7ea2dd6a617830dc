import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { WorkerPool } from '../../server/engine/threads/pool.ts'
import { openLog } from '../../server/logging/log.ts'
import { DEFAULT_FETCH_SETTINGS } from '../support/default-fetch-settings.ts'
import { startOrigin } from '../support/origin.ts'
import { plainOrder } from '../support/plain-order.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

test('a checkpoint that does not fit into the database fails its job with DISK_FULL, and other jobs run', async () => {
  using dir = tempDir()
  await using origin = await startOrigin()
  using db = new Database(dir.file('full.db'))
  db.run('CREATE TABLE changes (bytes BLOB) STRICT')
  db.run('PRAGMA max_page_count = 2')
  const log = openLog(undefined, () => {})
  const bounds = { total: 64, perHost: 32 }
  await using pool = new WorkerPool({
    workerUrl: PROGRAM_FILES.workerUrl,
    reach: { bounds, fetching: DEFAULT_FETCH_SETTINGS },
    log,
  })
  const run = (name: string, commit: () => Promise<void>) =>
    pool.run(
      plainOrder(dir.file(`${name}.zip`), [origin.url('/bytes/100000/a.bin')]),
      { commit, progress() {} },
      new AbortController().signal,
    )
  const fill = async () => {
    db.run('INSERT INTO changes VALUES (randomblob(100000))')
  }
  expect(await run('full', fill)).toMatchObject({ status: 'failed', failure: { code: 'DISK_FULL' } })
  expect(await run('fits', async () => {})).toMatchObject({ status: 'completed' })
})
