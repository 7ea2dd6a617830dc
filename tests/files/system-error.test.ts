import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { systemFault } from '../../server/files/system-error.ts'
import { toServiceError } from '../../server/http/error-responses.ts'
import { openLog } from '../../server/logging/log.ts'

test.each([
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
  ['SQLITE_FULL', 'disk-full'],
  ['EROFS', 'disk-unusable'],
  ['SQLITE_IOERR_WRITE', 'disk-unusable'],
  ['SQLITE_READONLY_DBMOVED', 'disk-unusable'],
  ['SQLITE_BUSY', 'database-busy'],
  ['SQLITE_BUSY_SNAPSHOT', 'database-busy'],
] as const)(
  '%s is a fault of the machine (%s): the response is UNAVAILABLE, and the log has the reason',
  (code, fault) => {
    const error = Object.assign(new Error('refused'), { code })
    const wrapped = new Error('the query failed', { cause: error })
    expect([systemFault(error), systemFault(wrapped)]).toEqual([fault, fault])
    const logged: string[] = []
    expect(
      toServiceError(
        wrapped,
        openLog(undefined, (line) => logged.push(line)),
      ).code,
    ).toBe('UNAVAILABLE')
    expect(logged).toHaveLength(1)
  },
)

test('an actual SQLITE_FULL of SQLite is UNAVAILABLE', () => {
  using db = new Database(':memory:')
  db.run('CREATE TABLE rows (bytes BLOB) STRICT')
  db.run('PRAGMA max_page_count = 2')
  const write = () => db.run('INSERT INTO rows VALUES (randomblob(100000))')
  expect(write).toThrow()
  try {
    write()
  } catch (error) {
    expect(
      toServiceError(
        error,
        openLog(undefined, () => {}),
      ).code,
    ).toBe('UNAVAILABLE')
  }
})

test('a missing file, like any unexpected error, is an INTERNAL_ERROR', () => {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' })
  for (const error of [missing, new TypeError('undefined is not a function'), 'text']) {
    expect(systemFault(error)).toBeNull()
    expect(
      toServiceError(
        error,
        openLog(undefined, () => {}),
      ).code,
    ).toBe('INTERNAL_ERROR')
  }
})
