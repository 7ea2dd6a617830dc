import { expect, test } from 'bun:test'
import { type ScheduleDay, simulateDays } from '../support/schedule-year.ts'

test(
  'a year of a daily list of 500 URLs: each run is right, and neither the database nor the runs grow',
  async () => {
    const days = await simulateDays(500, 365, 51)
    const both = (figureOf: (day: ScheduleDay) => number) =>
      [median(days.slice(60, 100).map(figureOf)), median(days.slice(-40).map(figureOf))] as const
    const runMs = both((day) => day.runMs)
    const databaseMb = both((day) => day.databaseBytes / 1e6)
    const fetchedKb = both((day) => day.fetchedBytes / 1e3)
    const shown = ([early, late]: readonly [number, number]) =>
      `${early.toFixed(1)} early, ${late.toFixed(1)} late`
    console.log(
      `ms a run: ${shown(runMs)}; MB of database: ${shown(databaseMb)}; KB fetched: ${shown(fetchedKb)}`,
    )
    // The rows of a year of jobs and runs, without their URLs and entries, take some hundred kilobytes.
    expect(databaseMb[1]).toBeLessThan(databaseMb[0] * 1.1)
    expect(runMs[1]).toBeLessThan(runMs[0] * 1.5)
  },
  30 * 60_000,
)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
