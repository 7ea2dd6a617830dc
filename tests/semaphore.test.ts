import { expect, test } from 'bun:test'
import { Semaphore } from '../../server/fetching/semaphore.ts'

const never = new AbortController().signal

test('a limited number of callers have a slot, and the others get free slots in order', async () => {
  const semaphore = new Semaphore(2)
  const first = await semaphore.acquire(never)
  const second = await semaphore.acquire(never)
  const order: string[] = []
  const third = semaphore.acquire(never).then((slot) => {
    order.push('third')
    return slot
  })
  const fourth = semaphore.acquire(never).then((slot) => {
    order.push('fourth')
    return slot
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

test('a waiter that is aborted is rejected, and the next waiter gets the slot', async () => {
  const semaphore = new Semaphore(1)
  const first = await semaphore.acquire(never)
  const stop = new AbortController()
  const stopped = semaphore.acquire(stop.signal).catch((error: unknown) => error)
  const next = semaphore.acquire(never)
  const reason = new Error('The job was stopped')
  stop.abort(reason)
  expect(await stopped).toBe(reason)
  first[Symbol.dispose]()
  await next
})
