import { describe, expect, test } from 'bun:test'
import {
  cronIssue,
  cronOf,
  isTimeZone,
  nextTimeAfter,
  shortestGapSeconds,
} from '../../server/schedules/recurrence.ts'

const HOUR_MS = 3_600_000

/** The next times after one, in UTC without seconds. */
function next(cron: string, timeZone: string, after: string, count: number): string[] {
  const times: string[] = []
  for (let time = Date.parse(after); times.length < count; ) {
    time = nextTimeAfter({ cron, timeZone }, time) ?? Number.NaN
    times.push(new Date(time).toISOString().slice(0, 16))
  }
  return times
}

describe('In the night in which clocks go forward', () => {
  // Berlin, 29 March: 02:00 becomes 03:00. New York, 8 March: the same. Lord Howe, 4 October: 02:00 becomes 02:30.
  test.each([
    ['Europe/Berlin', '30 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['America/New_York', '30 2 * * *', '2026-03-07T12:00Z', ['2026-03-08T07:00', '2026-03-09T06:30']],
    ['Australia/Lord_Howe', '15 2 * * *', '2026-10-03T00:00Z', ['2026-10-03T15:30', '2026-10-04T15:15']],
  ])('in %s, what is due in the gap is due at its end, once', (zone, cron, after, times) => {
    expect(next(cron, zone, after, 2)).toEqual(times)
  })

  test.each([
    ['Europe/Berlin', '2026-03-29T00:30Z', ['2026-03-29T01:00', '2026-03-29T02:00', '2026-03-29T03:00']],
    ['America/New_York', '2026-03-08T06:30Z', ['2026-03-08T07:00', '2026-03-08T08:00', '2026-03-08T09:00']],
  ])('in %s, what is due each hour is due each hour', (zone, after, times) => {
    expect(next('0 * * * *', zone, after, 3)).toEqual(times)
  })
})

describe('In the night in which clocks go back', () => {
  // Berlin, 25 October: 03:00 becomes 02:00. New York, 1 November: 02:00 becomes 01:00. Lord Howe, 5 April: 02:00 becomes 01:30.
  test.each([
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['America/New_York', '30 1 * * *', '2026-10-31T12:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
    ['Australia/Lord_Howe', '45 1 * * *', '2026-04-04T00:00Z', ['2026-04-04T14:45', '2026-04-05T15:15']],
  ])(
    'in %s, what is due in the hour that comes twice is due the first time only',
    (zone, cron, after, times) => {
      expect(next(cron, zone, after, 2)).toEqual(times)
    },
  )

  test.each([
    ['Europe/Berlin', '2026-10-24T23:30Z', ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00']],
    ['America/New_York', '2026-11-01T04:30Z', ['2026-11-01T05:00', '2026-11-01T06:00', '2026-11-01T07:00']],
  ])('in %s, what is due each hour is due in both hours', (zone, after, times) => {
    expect(next('0 * * * *', zone, after, 3)).toEqual(times)
  })
})

test.each([
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
  'UTC',
])('in a year in %s, each day has one run, whatever its time', (timeZone) => {
  const dayOf = new Intl.DateTimeFormat('sv', { timeZone })
  for (const time of ['0 0', '30 1', '45 1', '0 2', '15 2', '30 2', '59 2', '0 3', '59 23']) {
    const days: string[] = []
    const start = Date.parse('2026-01-10T00:00Z')
    for (let at = start; ; ) {
      at = nextTimeAfter({ cron: `${time} * * *`, timeZone }, at) ?? Number.NaN
      if (at > start + 365 * 24 * HOUR_MS) break
      days.push(dayOf.format(at))
    }
    expect(days.length).toBe(365)
    expect(new Set(days).size).toBe(365)
  }
})

describe('An interval', () => {
  const start = Date.parse('2026-11-30T05:07:42Z')

  test.each([
    ['hour', '7 * * * *'],
    ['day', '7 6 * * *'],
    ['week', '7 6 * * 1'],
    ['month', '7 6 L * *'],
  ] as const)('of a %s counts from its beginning', (interval, cron) => {
    expect(cronOf(interval, start, 'Europe/Berlin')).toBe(cron)
  })

  test('of a month is due on the same day, if all months have it', () => {
    expect(cronOf('month', Date.parse('2026-02-28T12:00Z'), 'UTC')).toBe('0 12 28 * *')
    expect(next('7 6 L * *', 'UTC', '2026-11-30T12:00Z', 4).map((time) => time.slice(0, 10))).toEqual([
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ])
  })
})

describe('The shortest gap', () => {
  test.each([
    ['0 6 * * *', 86_400],
    ['0 6 * * 1', 7 * 86_400],
    ['0 6,18 * * *', 43_200],
    ['0 0,23 * * *', 3_600],
    ['0 * * * *', 3_600],
    ['*/15 * * * *', 900],
    ['0,1 6 29 2 *', 60],
    ['0 6 * * 1-5', 86_400],
    ['0 6 31 12 *', 365 * 86_400],
    ['0 6 29 2 *', 1_461 * 86_400],
  ])('of %s is %i seconds', (cron, seconds) => {
    expect(shortestGapSeconds(cron)).toBe(seconds)
  })
})

describe('A cron expression', () => {
  test.each(['0 6 * * *', '0 6 * * MON-FRI', '*/15 8-18 1,15 * *', '0 6 L * *', '0  6 * * 7'])(
    'may be %s',
    (cron) => {
      expect(cronIssue(cron)).toBeNull()
    },
  )

  test.each([
    ['', 'must have five fields'],
    ['0 6 * *', 'must have five fields'],
    ['0 0 6 * * *', 'must have five fields'],
    ['@daily', 'must have five fields'],
    ['2026-12-24T18:00:00', 'must have five fields'],
    ['61 6 * * *', 'cannot be read (Invalid value for minute: 61)'],
    ['a b c d e', 'cannot be read'],
    ['*/0 * * * *', 'cannot be read'],
    ['0 6 31 * +1#1', 'cannot be read (+ is not supported)'],
    ['0 6 30 2 *', 'must have a time at which it is due'],
  ])('is not %s', (cron, issue) => {
    expect(cronIssue(cron)).toStartWith(issue)
  })
})

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Mars/Olympus', false],
  ['', false],
  ['constructor', false],
])('a time zone: %s', (name, isOne) => {
  expect(isTimeZone(name)).toBe(isOne)
})
