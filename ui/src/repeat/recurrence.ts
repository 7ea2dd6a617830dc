// How people say when a list is packed again, and the cron expression (minute, hour, day of the month, month, weekday) of that.

import { formatWeekday } from '../base/format.ts'
import { repeatCopy } from '../language/english/repeat.ts'

const copy = repeatCopy.recurrence

/** What a person chooses, as the fields of a form. */
export interface RecurrenceDraft {
  unit: RecurrenceUnit
  /** "06:00". For an hour, its minute counts. */
  time: string
  /** For a week: 0 is Sunday. */
  weekday: number
  /** For a month: 1 to 28, or 'last'. */
  day: number | 'last'
  /** For anything else. */
  cron: string
}

export type RecurrenceUnit = 'hour' | 'day' | 'week' | 'month' | 'cron'

/** What a person would choose at a time: each day at this time, each week on this day. */
export function draftAt(now: Date): RecurrenceDraft {
  return {
    unit: 'week',
    time: `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`,
    weekday: now.getDay(),
    day: now.getDate() > LAST_SAFE_DAY ? 'last' : now.getDate(),
    cron: '',
  }
}

/** The draft that gives an expression, for a dialog that changes it. */
export function draftOf(cron: string, now: Date): RecurrenceDraft {
  const found = read(cron)
  return found === null ? { ...draftAt(now), unit: 'cron', cron } : { ...draftAt(now), ...found, cron }
}

export function cronOf({ unit, time, weekday, day, cron }: RecurrenceDraft): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  switch (unit) {
    case 'hour':
      return `${minute} * * * *`
    case 'day':
      return `${minute} ${hour} * * *`
    case 'week':
      return `${minute} ${hour} * * ${weekday}`
    case 'month':
      return `${minute} ${hour} ${day === 'last' ? 'L' : day} * *`
    case 'cron':
      return cron.trim()
  }
}

/** "Every Monday at 06:00"; an expression that says something else is shown as it is: "By 0 6 * * 1-5". */
export function recurrenceText(cron: string): string {
  const found = read(cron)
  if (found === null) return copy.cron(cron)
  switch (found.unit) {
    case 'hour':
      return copy.hour(found.time.slice(3))
    case 'day':
      return copy.day(found.time)
    case 'week':
      return copy.week(formatWeekday(found.weekday), found.time)
    case 'month':
      return found.day === 'last' ? copy.lastDay(found.time) : copy.month(found.day, found.time)
  }
}

/** The same, with the time zone if the reader's is another one: "Every Monday at 06:00 (Europe/Berlin)". */
export function scheduleText({ cron, time_zone }: { cron: string; time_zone: string }): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return time_zone === own ? recurrenceText(cron) : `${recurrenceText(cron)} (${time_zone})`
}

type PlainRecurrence = Pick<RecurrenceDraft, 'time' | 'weekday' | 'day'> & {
  readonly unit: Exclude<RecurrenceUnit, 'cron'>
}

/** Null for an expression with lists, ranges, steps or months. */
function read(cron: string): PlainRecurrence | null {
  const [, minute = '', hour = '', day = '', weekday = ''] =
    /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|L|\*) \* ([0-7]|\*)$/.exec(cron) ?? []
  if (minute === '') return null
  const plain = {
    time: `${twoDigits(hour === '*' ? 0 : Number(hour))}:${twoDigits(Number(minute))}`,
    weekday: Number(weekday === '*' ? 0 : weekday) % 7,
    day: day === 'L' || day === '*' ? ('last' as const) : Number(day),
  }
  if (hour === '*') return day === '*' && weekday === '*' ? { ...plain, unit: 'hour' } : null
  if (weekday !== '*') return day === '*' ? { ...plain, unit: 'week' } : null
  return { ...plain, unit: day === '*' ? 'day' : 'month' }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Each month has it. */
const LAST_SAFE_DAY = 28
