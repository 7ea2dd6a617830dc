import { afterAll, beforeAll, test } from 'bun:test'
import fc from 'fast-check'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { action, jobModel } from '../support/job-model.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

let dir: TempDir
let db: Database
let users = 0

beforeAll(() => {
  dir = tempDir()
  db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
})
afterAll(() => {
  db[Symbol.dispose]()
  dir[Symbol.dispose]()
})

test('no sequence of events breaks the states of jobs, their list, their counts or the quota', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 10, maxLength: 80, size: 'max' }), (actions) => {
      const both = jobModel(db, `user ${users++}`)
      try {
        for (const given of actions) {
          both.do(given)
          both.check()
        }
      } finally {
        both.close()
      }
    }),
    { numRuns: 100 },
  )
}, 60_000)
