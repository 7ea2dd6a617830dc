import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { groupOf, NAMED_FILES } from './test-groups.ts'

test('every file that is named in a group exists, and is in one group', () => {
  expect(NAMED_FILES.filter((path) => !existsSync(join(import.meta.dir, '..', path)))).toEqual([])
  expect(new Set(NAMED_FILES).size).toBe(NAMED_FILES.length)
})

test('a test that compares processor times measures', () => {
  expect(groupOf('archive/names/number-duplicates-time.test.ts')).toBe('measuring')
  expect(groupOf('support/test-counts.test.ts')).toBe('short')
})
