import { expect, test } from 'bun:test'
import { Turns } from '../../server/fetching/turns.ts'

const never = new AbortController().signal

test('so many at once have a turn, and who waits has the next one, in order', async () => {
  const turns = new Turns(2)
  const first = await turns.take(never)
  const second = await turns.take(never)
  const order: string[] = []
  const third = turns.take(never).then((turn) => {
    order.push('third')
    return turn
  })
  const fourth = turns.take(never).then((turn) => {
    order.push('fourth')
    return turn
  })
  await Promise.resolve()
  expect(order).toEqual([])
  first[Symbol.dispose]()
  await third
  expect(order).toEqual(['third'])
  second[Symbol.dispose]()
  await fourth
  expect(order).toEqual(['third', 'fourth'])
})

test('who is told to stop waits no longer, and takes no turn from those behind', async () => {
  const turns = new Turns(1)
  const first = await turns.take(never)
  const stop = new AbortController()
  const stopped = turns.take(stop.signal).catch((error: unknown) => error)
  const next = turns.take(never)
  const reason = new Error('The job was stopped')
  stop.abort(reason)
  expect(await stopped).toBe(reason)
  first[Symbol.dispose]()
  await next
})
