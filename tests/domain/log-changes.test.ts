import { expect, test } from 'bun:test'
import { openLog } from '../../server/log.ts'
import { logChanges } from '../../server/log-changes.ts'

test('what fails again and again is told when it begins, when the reason changes, and when it is over', () => {
  const logged: string[] = []
  const tries = logChanges(
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
