import { test } from 'bun:test'
import fc from 'fast-check'
import { openDatabase } from '../../server/db/open.ts'
import { forFile } from '../support/for-file.ts'
import { anyAction, jobModel } from '../support/job-model.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
let users = 0

test('after any sequence of events, the statuses, list and counts of jobs and the quota are those that the events make', () => {
  fc.assert(
    fc.property(fc.array(anyAction, { minLength: 10, maxLength: 80, size: 'max' }), (actions) => {
      const model = jobModel(db, `user ${users++}`)
      try {
        for (const action of actions) {
          model.apply(action)
          model.check()
        }
      } finally {
        model.close()
      }
    }),
    { numRuns: 100 },
  )
})
