import { expect, test } from 'bun:test'
import { openFailureLog } from '../../server/logging/failure-log.ts'
import { openLog } from '../../server/logging/log.ts'

test('a failure that repeats is logged when it begins, when its reason changes, and when it ends', () => {
  const logged: string[] = []
  const tries = openFailureLog(
    openLog(undefined, (line) => logged.push(line)),
    'the sweep failed',
  )
  tries.worked()
  expect(logged).toEqual([])
  for (let at = 0; at < 100; at++) tries.failed(new Error('disk full'), { job: 'a' })
  expect(logged).toEqual([expect.stringMatching(/error the sweep failed job=a .*disk full/)])
  for (let at = 0; at < 100; at++) tries.failed(new Error('read-only'))
  expect(logged).toHaveLength(2)
  for (let at = 0; at < 100; at++) tries.worked()
  expect(logged).toHaveLength(3)
  expect(logged[2]).toContain('info no longer: the sweep failed')
  tries.failed(new Error('read-only'))
  expect(logged).toHaveLength(4)
})
