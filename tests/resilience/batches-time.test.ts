import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { cpuTimeRatio } from '../support/cpu-time.ts'
import { jobToCreate } from '../support/job-to-create.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { runSql } from '../support/run-sql.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const NOW = Date.UTC(2026, 6, 1)

test('deleting a job of 5,000 URLs and entries takes about as long as creating them', () => {
  using dir = tempDir()
  using db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
  const userId = openAccountStore(db).createUser('ann', 'pro', 0)?.id ?? ''
  const transitions = openTransitions(db)
  const sources = Array.from({ length: 5_000 }, (_, n) => ({
    url: `https://example.com/files/${n}`,
    filename: null,
  }))
  const ids: string[] = []
  const create = () => {
    const job = jobToCreate({ userId, createdAt: NOW })
    transitions.create(job, sources)
    runSql(
      db,
      sql`INSERT INTO entries (job_id, position, status, name, offset, header_bytes, compressed_bytes)
          SELECT job_id, position, 'stored', 'a', 0, 0, 0 FROM sources WHERE job_id = ${job.id}`,
    )
    ids.push(job.id)
  }
  // As many jobs as are deleted below.
  for (let count = 0; count < 8; count++) create()
  const remove = () => transitions.delete(userId, ids.shift() ?? '', NOW)
  expect(cpuTimeRatio(remove, create)).toBeLessThan(1.2)
  expect(db.orm.get(sql`SELECT count(*) FROM entries`)).toEqual([8 * sources.length])
  expect(db.orm.get(sql`SELECT count(*) FROM sources`)).toEqual([8 * sources.length])
})
