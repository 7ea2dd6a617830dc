import { expect, test } from 'bun:test'
import { MAX_BUCKETS, openTokenBuckets } from '../../server/http/clients/token-buckets.ts'

function bucketsAt(perMinute: number) {
  const time = { now: 1_000_000 }
  return { time, buckets: openTokenBuckets(perMinute, () => time.now) }
}

test('a full bucket allows the requests of a minute, and then refills at a constant rate', () => {
  const { time, buckets } = bucketsAt(60)
  for (let left = 59; left >= 0; left--)
    expect(buckets.take('a')).toMatchObject({ allowed: true, remaining: left })
  expect(buckets.take('a')).toEqual({
    allowed: false,
    remaining: 0,
    retryAfterSeconds: 1,
    fullAfterSeconds: 60,
  })
  time.now += 999
  expect(buckets.take('a').allowed).toBe(false)
  time.now += 1
  expect(buckets.take('a').allowed).toBe(true)
  expect(buckets.take('a').allowed).toBe(false)
})

test('a bucket never holds more than the requests of a minute, and a clock that is set back adds none', () => {
  const { time, buckets } = bucketsAt(2)
  time.now += 3_600_000
  expect(buckets.take('a').remaining).toBe(1)
  time.now -= 1_800_000
  expect(buckets.take('a').remaining).toBe(0)
  expect(buckets.take('a')).toMatchObject({ allowed: false, retryAfterSeconds: 30 })
})

test('each client has its own bucket, and the number of buckets is limited', () => {
  const { buckets } = bucketsAt(1)
  buckets.take('first')
  expect(buckets.take('second').allowed).toBe(true)
  expect(buckets.take('first').allowed).toBe(false)
  for (let index = 0; index < MAX_BUCKETS; index++) buckets.take(`other ${index}`)
  expect(buckets.take('second').allowed).toBe(true)
})
