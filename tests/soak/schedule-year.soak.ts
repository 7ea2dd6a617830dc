import { expect, test } from 'bun:test'
import { type ScheduleDay, simulateDays } from '../support/schedule-year.ts'

test(
  'a year of a daily list of 500 URLs: each run is right, and neither the database nor the runs grow',
  async () => {
    const days = await simulateDays(500, 365, 51)
    const at = (first: number, figureOf: (day: ScheduleDay) => number) =>
      median(days.slice(first, first + 40).map(figureOf))
    const both = (figureOf: (day: ScheduleDay) => number) =>
      [at(EARLY_FROM, figureOf), at(LATE_FROM, figureOf)] as const
    const runMs = both((day) => day.runMs)
    const databaseMb = both((day) => day.databaseBytes / 1e6)
    const fetchedKb = both((day) => day.fetchedBytes / 1e3)
    const shown = ([early, late]: readonly [number, number]) =>
      `${early.toFixed(1)} early, ${late.toFixed(1)} late`
    console.log(
      `ms a run: ${shown(runMs)}; MB of database: ${shown(databaseMb)}; KB fetched: ${shown(fetchedKb)}`,
    )
    // Of each day, the rows of its job and its run stay for a year: 3 KB. Its URLs and entries took 100 KB.
    const grownKbPerDay = ((databaseMb[1] - databaseMb[0]) * 1e3) / (LATE_FROM - EARLY_FROM)
    expect(grownKbPerDay).toBeLessThan(4)
    expect(runMs[1]).toBeLessThan(runMs[0] * 1.5)
  },
  30 * 60_000,
)

/** From then on, the URLs and entries of expired archives go as fast as they come. */
const EARLY_FROM = 60
const LATE_FROM = 325

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
