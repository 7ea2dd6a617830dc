import { describe, expect, test } from 'bun:test'
import { DoneFraction } from '../../server/engine/done-fraction.ts'
import type { EntryProgress } from '../../server/engine/job-order.ts'
import { MAX_UNFINISHED_FRACTION } from '../../server/vocabulary.ts'
import { storedEntryAt } from '../support/stored-entry.ts'

const MB = 1_000_000

describe('How much of a job is done', () => {
  test('goes by bytes: a film beside 24 small files is what everybody waits for', () => {
    const done = new DoneFraction(25, [])
    for (let position = 1; position < 25; position++) done.update(stored(position, 50_000))
    done.update(fetching(0, 3 * MB, 300 * MB))
    expect(done.value).toBeCloseTo(0.02, 2)
    done.update(fetching(0, 150 * MB, 300 * MB))
    expect(done.value).toBeCloseTo(0.5, 1)
  })

  test('is never above 99 % before the archive is finished', () => {
    const done = new DoneFraction(2, [])
    done.update(stored(0, 10))
    done.update(stored(1, 0))
    expect(done.value).toBe(MAX_UNFINISHED_FRACTION)
  })

  test('counts files of equal size evenly, also those that have not begun', () => {
    const done = new DoneFraction(10, [])
    expect(done.value).toBe(0)
    for (let position = 0; position < 5; position++) done.update(stored(position, 4 * MB))
    expect(done.value).toBeCloseTo(0.5, 5)
  })

  test('is at most half for a body of unknown length that is longer than the others', () => {
    const done = new DoneFraction(1, [])
    for (const receivedBytes of [MB, 10 * MB, 100 * MB]) {
      done.update(fetching(0, receivedBytes, null))
      expect(done.value).toBeLessThanOrEqual(0.5)
    }
  })

  test('counts failed links and empty files as done', () => {
    const done = new DoneFraction(4, [])
    done.update(entry(0, 'failed', 0, null))
    done.update(stored(1, 0))
    expect(done.value).toBeCloseTo(0.5, 5)
  })

  test('continues where the earlier run was, and goes back for what is fetched again', () => {
    const done = new DoneFraction(2, [storedEntryAt(0, 0, MB)])
    expect(done.value).toBeCloseTo(0.5, 5)
    done.update(entry(0, 'waiting', 0, null))
    expect(done.value).toBe(0)
  })
})

function stored(position: number, sizeBytes: number): EntryProgress {
  return entry(position, 'stored', sizeBytes, null)
}

function fetching(position: number, sizeBytes: number, expectedBytes: number | null): EntryProgress {
  return entry(position, 'fetching', sizeBytes, expectedBytes)
}

function entry(
  position: number,
  status: EntryProgress['status'],
  sizeBytes: number,
  expectedBytes: number | null,
): EntryProgress {
  return { position, status, name: null, sizeBytes, expectedBytes, sha256: null, error: null, warning: null }
}
