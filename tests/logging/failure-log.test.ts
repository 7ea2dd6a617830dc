import { expect, test } from 'bun:test'
import { openFailureLog } from '../../server/logging/failure-log.ts'
import { openLog } from '../../server/logging/log.ts'

test('a repeated failure is logged when it starts, when its reason changes, and when it ends', () => {
  const logged: string[] = []
  const failureLog = openFailureLog(
    openLog(undefined, (line) => logged.push(line)),
    'the sweep failed',
  )
  failureLog.worked()
  expect(logged).toEqual([])
  for (let time = 0; time < 100; time++) failureLog.failed(new Error('disk full'), { job: 'a' })
  expect(logged).toEqual([expect.stringMatching(/error the sweep failed job=a .*disk full/)])
  for (let time = 0; time < 100; time++) failureLog.failed(new Error('read-only'))
  expect(logged).toHaveLength(2)
  for (let time = 0; time < 100; time++) failureLog.worked()
  expect(logged).toHaveLength(3)
  expect(logged[2]).toContain('info no longer: the sweep failed')
  failureLog.failed(new Error('read-only'))
  expect(logged).toHaveLength(4)
})
