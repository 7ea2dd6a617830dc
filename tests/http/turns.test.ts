import { expect, test } from 'bun:test'
import { openTurns } from '../../server/http/body/turns.ts'

test('Users have turns one after the other, however many pieces of work one of them waits with', async () => {
  const turns = openTurns()
  const begun: string[] = []
  const work = async (userId: string | null, piece: number) => {
    await turns.next(userId)
    begun.push(`${userId} ${piece}`)
  }
  const busy = Array.from({ length: 100 }, (_, piece) => work('busy', piece))
  const others = [work('other', 0), work('other', 1), work(null, 0)]
  await Promise.all(others)
  expect(begun).toEqual(['busy 0', 'other 0', 'null 0', 'busy 1', 'other 1'])
  await Promise.all(busy)
  expect(begun.filter((name) => name.startsWith('busy'))).toEqual(busy.map((_, piece) => `busy ${piece}`))
})

test('A piece of work that asks for its next turn lets the others go first', async () => {
  const turns = openTurns()
  const begun: string[] = []
  const work = async (userId: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await turns.next(userId)
      begun.push(userId)
    }
  }
  await Promise.all([work('a'), work('b')])
  expect(begun).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})

test.each([
  ['short', 0, [10, 10]],
  ['that take long', 5, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
])('Of pieces of work %s, so many begin in one turn', async (_, durationMs, expected) => {
  let nowMs = 0
  const turns = openTurns(
    () => 10,
    () => nowMs,
  )
  const begunPerTurn: number[] = []
  let begun = 0
  const work = async () => {
    await turns.next('user')
    nowMs += durationMs
    begun += 1
  }
  const done = Promise.all(Array.from({ length: 20 }, work)).then(() => {})
  while (begun < 20) {
    const before = begun
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (begun > before) begunPerTurn.push(begun - before)
  }
  await done
  expect(begunPerTurn).toEqual(expected)
})
