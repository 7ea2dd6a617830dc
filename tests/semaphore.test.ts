import { expect, test } from 'bun:test'
import { Semaphore } from '../server/semaphore.ts'

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

test('two slots that become free at once go to two waiters', async () => {
  const semaphore = new Semaphore(2)
  const first = await semaphore.acquire(never)
  const second = await semaphore.acquire(never)
  const waiters = [semaphore.acquire(never), semaphore.acquire(never)]
  first[Symbol.dispose]()
  second[Symbol.dispose]()
  await Promise.all(waiters)
})

test('a free slot goes to who waits for it, not to who comes at that moment', async () => {
  const semaphore = new Semaphore(1)
  const first = await semaphore.acquire(never)
  const order: string[] = []
  const acquire = async (name: string) => {
    using _slot = await semaphore.acquire(never)
    order.push(name)
  }
  const waiter = acquire('waiter')
  first[Symbol.dispose]()
  await Promise.all([acquire('newcomer'), waiter])
  expect(order).toEqual(['waiter', 'newcomer'])
})

test('a slot that is disposed of twice becomes free once', async () => {
  const semaphore = new Semaphore(1)
  const first = await semaphore.acquire(never)
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  await semaphore.acquire(never)
  const stop = new AbortController()
  const third = semaphore.acquire(stop.signal)
  stop.abort(new Error('still waits'))
  await expect(third).rejects.toThrow('still waits')
})

test('a waiter that is aborted when it has just got the slot can give it back', async () => {
  const semaphore = new Semaphore(1)
  const first = await semaphore.acquire(never)
  const stop = new AbortController()
  const second = semaphore.acquire(stop.signal)
  first[Symbol.dispose]()
  stop.abort(new Error('The job was stopped'))
  const slot = await second
  slot[Symbol.dispose]()
  await semaphore.acquire(never)
})
