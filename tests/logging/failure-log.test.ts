import { expect, test } from 'bun:test'
import { openFailureLog } from '../../server/logging/failure-log.ts'
import { openLog } from '../../server/logging/log.ts'

test('a repeated failure is logged when it starts, when its reason changes, and when it ends', () => {
  const logged: string[] = []
  const failureLog = openFailureLog(
    openLog(undefined, (line) => logged.push(line)),
    'the sweep failed',
  )
  failureLog.noteSuccess()
  expect(logged).toEqual([])
  for (let time = 0; time < 100; time++) failureLog.noteError(new Error('disk full'), { job: 'a' })
  expect(logged).toEqual([expect.stringMatching(/error the sweep failed job=a .*disk full/)])
  for (let time = 0; time < 100; time++) failureLog.noteError(new Error('read-only'))
  expect(logged).toHaveLength(2)
  for (let time = 0; time < 100; time++) failureLog.noteSuccess()
  expect(logged).toHaveLength(3)
  expect(logged[2]).toContain('info no longer: the sweep failed')
  failureLog.noteError(new Error('read-only'))
  expect(logged).toHaveLength(4)
})
