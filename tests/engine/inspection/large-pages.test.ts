import { describe, expect, test } from 'bun:test'
import { type LargePageReader, LargePageTurns } from '../../../server/engine/inspection/large-pages.ts'

/** Inspections of users, by names such as `a1`, whose first letter is the user. */
function open(contendedMs?: number) {
  const turns = new LargePageTurns(contendedMs)
  const granted: string[] = []
  const revoked = Promise.withResolvers<string>()
  const readers = new Map<string, LargePageReader>()
  const reader = (name: string) => {
    const known = readers.get(name) ?? {
      group: name.slice(0, 1),
      granted: () => void granted.push(name),
      revoked: () => revoked.resolve(name),
    }
    readers.set(name, known)
    return known
  }
  return {
    granted,
    revoked: revoked.promise,
    request(...names: string[]) {
      for (const name of names) turns.request(reader(name))
    },
    leave: (name: string) => turns.leave(reader(name)),
    [Symbol.dispose]: () => turns[Symbol.dispose](),
  }
}

describe('One large page at a time', () => {
  test('is in memory; users have turns one after the other, and each of them in its own order', () => {
    using pages = open()
    pages.request('a1', 'a2', 'a3', 'b1', 'b2', 'c1')
    expect(pages.granted).toEqual(['a1'])
    for (let read = 0; read < 6; read++) pages.leave(pages.granted.at(-1) ?? '')
    expect(pages.granted).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  test('is the next one when the first has ended, or no longer waits', () => {
    using pages = open()
    pages.request('a1', 'b1', 'c1')
    pages.leave('b1')
    expect(pages.granted).toEqual(['a1'])
    pages.leave('a1')
    expect(pages.granted).toEqual(['a1', 'c1'])
    pages.leave('c1')
    pages.request('a1')
    expect(pages.granted).toEqual(['a1', 'c1', 'a1'])
  })

  test('must not keep another user waiting for long', async () => {
    using pages = open(1)
    pages.request('a1', 'a2', 'b1')
    expect(await pages.revoked).toBe('a1')
    pages.leave('a1')
    expect(pages.granted).toEqual(['a1', 'a2'])
  })
})
