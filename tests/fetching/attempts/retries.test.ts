import { describe, expect, test } from 'bun:test'
import { FetchFailure } from '../../../server/fetching/attempts/fetch-failure.ts'
import { FETCH_LIMITS } from '../../../server/fetching/attempts/fetch-limits.ts'
import { Retries } from '../../../server/fetching/attempts/retries.ts'

const CUT = new FetchFailure('Connection closed early', { retryable: true })

/** In which waits take some milliseconds. */
function retries(): Retries {
  const limits = { ...FETCH_LIMITS, firstBackoffMs: 2, maxBackoffMs: 4, slowWindowMs: 40 }
  return new Retries(limits, new AbortController().signal)
}

/** How many attempts are followed by another one, if each brings so many bytes; 100 for all. */
async function allowed(broughtBytes: number): Promise<number> {
  const tried = retries()
  for (let count = 0; count < 100; count++) {
    try {
      await tried.waitAfter(CUT, { broughtBytes, hostHasAnswered: true, lastedMs: 1 })
    } catch (error) {
      expect(error).toBe(CUT)
      return count
    }
  }
  return 100
}

describe('A source that breaks off again and again', () => {
  test('is given up after four attempts that brought nothing', async () => {
    expect(await allowed(0)).toBe(FETCH_LIMITS.attempts - 1)
  })

  test('is given up when each attempt brings one byte, as one response would be that is so slow', async () => {
    expect(await allowed(1)).toBeWithin(FETCH_LIMITS.attempts, 100)
  })

  test('is attempted on as long as it brings more', async () => {
    expect(await allowed(1_000)).toBe(100)
  })
})
