import { expect, test } from 'bun:test'
import { type ScheduleDay, simulateDays } from '../support/schedule-year.ts'

test(
  'a year of a daily list of 500 URLs: each run is right, and neither the database nor the runs grow',
  async () => {
    const days = await simulateDays(500, 365, 51)
    const early = days.slice(60, 100)
    const late = days.slice(-40)
    const figures = ([first, last]: readonly [number, number], unit: string) =>
      `${first.toFixed(1)} ${unit} early, ${last.toFixed(1)} ${unit} late`
    const runMs = both((day) => day.runMs)
    const databaseMb = both((day) => day.databaseBytes / 1e6)
    const fetchedKb = both((day) => day.fetchedBytes / 1e3)
    console.log(
      `runs ${figures(runMs, 'ms')}; database ${figures(databaseMb, 'MB')}; fetched ${figures(fetchedKb, 'KB')} a run`,
    )
    // The rows of a year of jobs and runs, without their URLs and entries, take some hundred kilobytes.
    expect(databaseMb[1]).toBeLessThan(databaseMb[0] * 1.1)
    expect(runMs[1]).toBeLessThan(runMs[0] * 1.5)

    function both(valueOf: (day: ScheduleDay) => number): readonly [number, number] {
      return [median(early.map(valueOf)), median(late.map(valueOf))]
    }
  },
  30 * 60_000,
)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
