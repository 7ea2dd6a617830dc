import { describe, expect, test } from 'bun:test'
import { filenameOf } from '../../server/fetching/content-disposition.ts'
import { growth, MAX_GROWTH } from '../support/cpu-time.ts'

describe('common malformations are understood', () => {
  test.each([
    ...[';', '"', '\\', '=', "'", '%', ' ', 'a=b;', 'a="', 'filename=a;', '; filename*='],
    ...["filename*=utf-8''%;", "filename*='"],
  ])('the time to parse a header of repeated %p grows in proportion to its length', (part) => {
    const parse = (count: number) => {
      filenameOf(part.repeat(count))
      filenameOf(`attachment; filename="${part.repeat(count)}`)
    }
    expect(growth(64_000, parse)).toBeLessThan(MAX_GROWTH)
  })
})
