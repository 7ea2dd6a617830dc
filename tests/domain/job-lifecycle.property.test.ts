import { test } from 'bun:test'
import fc from 'fast-check'
import { openDatabase } from '../../server/db/open.ts'
import { forFile } from '../support/for-file.ts'
import { action, jobModel } from '../support/job-model.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
let users = 0

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
