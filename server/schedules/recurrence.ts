import { Cron } from 'croner'
import type { Interval } from '../vocabulary.ts'

/** When a schedule runs: a cron expression of five fields, by the wall clock of a time zone. */
export interface Recurrence {
  readonly cron: string
  /** IANA name, as in `Europe/Berlin`. */
  readonly timeZone: string
}

/**
 * The next time after another; null when there is none. A time that the change to summer time leaves out is the end of the gap, and one
 * that the change back repeats is the first of the two. What is due every hour is due in each of these hours.
 */
export function nextTimeAfter(recurrence: Recurrence, after: number): number | null {
  return open(recurrence).nextRun(new Date(after))?.getTime() ?? null
}

/**
 * The cron expression of an interval that begins at a time: each day at this time of day, each week on this weekday as well. Each
 * month on this day; after the 28th on the last day, since some months have no later one.
 */
export function cronOf(interval: Interval, start: number, timeZone: string): string {
  const { minute, hour, day, weekday } = wallClock(start, timeZone)
  switch (interval) {
    case 'hour':
      return `${minute} * * * *`
    case 'day':
      return `${minute} ${hour} * * *`
    case 'week':
      return `${minute} ${hour} * * ${weekday}`
    case 'month':
      return `${minute} ${hour} ${day > 28 ? 'L' : day} * *`
  }
}

/** What is wrong with a cron expression, to be read after its name; null when nothing is. */
export function cronIssue(cron: string): string | null {
  if (!FIVE_FIELDS.test(cron)) return 'must have five fields: minute, hour, day of the month, month, weekday'
  if (cron.includes('+')) return 'cannot be read (+ is not supported)'
  try {
    return shortestGapSeconds(cron) === null ? 'must have a time at which it is due' : null
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'unreadable'
    return `cannot be read (${reason})`
  }
}

/**
 * The shortest time between two runs of a valid expression; infinite when there is only one, null when there is none. Without summer
 * time, which makes a day shorter by an hour. Looks at as many runs as two days of hourly ones have: the times of day are the same
 * on each day, so two days show every gap within a day, and the gap between two days that follow each other.
 */
export function shortestGapSeconds(cron: string): number | null {
  const opened = new Cron(cron, { utcOffset: 0, mode: '5-part', paused: true })
  const nextAfter = (time: number) => opened.nextRun(new Date(time))?.getTime() ?? null
  let last = nextAfter(SAMPLE_START)
  if (last === null) return null
  let shortestMs = Number.POSITIVE_INFINITY
  for (let runs = 0; runs < SAMPLED_RUNS; runs++) {
    const next = nextAfter(last)
    if (next === null) break
    shortestMs = Math.min(shortestMs, next - last)
    last = next
  }
  return shortestMs / 1000
}

/** Whether this names a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** What a clock on the wall shows at a time. */
export interface WallClock {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  /** 0 is Sunday. */
  readonly weekday: number
}

export function wallClock(time: number, timeZone: string): WallClock {
  const parts = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(time)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const [year, month, day] = [read('year'), read('month'), read('day')]
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  return { year, month, day, hour: read('hour'), minute: read('minute'), weekday }
}

function open({ cron, timeZone }: Recurrence): Cron {
  return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true })
}

/** Without this, the library would take a date, a nickname such as `@daily`, and seconds. */
const FIVE_FIELDS = /^\S+(?: +\S+){4}$/

/**
 * The library looks for a time until the year 3000. From here on it has each pairing of date and weekday once, and no more than that: a
 * thousand years of an expression that is never due would take a twentieth of a second.
 */
const SAMPLE_START = Date.UTC(2956, 0, 1) - 1
const SAMPLED_RUNS = 48
