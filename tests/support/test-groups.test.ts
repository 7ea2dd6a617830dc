import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { groupOf, markedGroup } from './test-groups.ts'

test('every test file is in a group', () => {
  const files = [...new Bun.Glob('**/*.test.ts').scanSync(join(import.meta.dir, '..'))]
  const unmarked = files.filter((path) => groupOf(path) === 'short')
  expect(unmarked.length).toBeGreaterThan(files.length / 2)
})

test('the first line of a file names its group', () => {
  expect(markedGroup("import { test } from 'bun:test'\n")).toBe('short')
  expect(markedGroup("// test group: prompt\nimport { test } from 'bun:test'\n")).toBe('prompt')
})

test.each([
  ['// test group: fast\n', 'names none of the groups'],
  ['// test group: long, for it is slow\n', 'names none of the groups'],
  ['//Test-group long\n', 'names none of the groups'],
  ["import { test } from 'bun:test'\n// test group: long\n", 'must be the first line'],
])('%j names no group', (text, message) => {
  expect(() => markedGroup(text)).toThrow(message)
})
