import { baseCopy } from '../language/english/base.ts'
import { locale } from '../language/language.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** In decimal units, as disks and browsers use them: 1 kB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  return formatInBytes(bytes, '')
}

/** "21.4 MB/s". */
export function formatSpeed(bytesPerSecond: number): string {
  return formatInBytes(bytesPerSecond, '-per-second')
}

/** "71 of 300 MB": what there is of a whole, in the unit of the whole. */
export function formatPartOfBytes(bytes: number, wholeBytes: number): string {
  const value = bytes / 1000 ** unitStep(wholeBytes)
  const part = new Intl.NumberFormat(locale, { maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value)
  return baseCopy.partOf(part, formatBytes(wholeBytes))
}

function formatInBytes(bytes: number, per: '' | '-per-second'): string {
  const step = unitStep(bytes)
  const value = bytes / 1000 ** step
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: `${UNITS[step] ?? 'byte'}${per}`,
    unitDisplay: step === 0 && per === '' ? 'long' : 'short',
    maximumFractionDigits: step === 0 || value >= 100 ? 0 : 1,
  }).format(value)
}

/** The unit in which so many bytes are written: its index in `UNITS`. */
function unitStep(bytes: number): number {
  const exactStep = Math.floor(Math.log10(Math.max(bytes, 1)) / 3)
  // 999,950 bytes are rounded to 1,000 kB, and so to 1 MB.
  const isRoundedUp = bytes / 1000 ** exactStep >= 999.5
  return Math.min(exactStep + (isRoundedUp ? 1 : 0), UNITS.length - 1)
}

const wholeNumber = new Intl.NumberFormat(locale)

export function formatCount(count: number): string {
  return wholeNumber.format(count)
}

const percent = new Intl.NumberFormat(locale, { style: 'percent' })

/** Rounds down, so that 100% means that everything is done. */
export function formatPercent(fraction: number): string {
  return percent.format(Math.floor(fraction * 100) / 100)
}

const decimalNumber = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })

/** A GB-day is one gigabyte stored for one day. */
export function formatGbDays(gbDays: number): string {
  const isTiny = gbDays > 0 && gbDays < 0.005
  const days = baseCopy.gbDays(decimalNumber.format(isTiny ? 0.01 : gbDays), gbDays === 1)
  return isTiny ? baseCopy.under(days) : days
}

const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `2026-11` becomes "November 2026". */
export function formatMonth(yearAndMonth: string): string {
  return month.format(new Date(`${yearAndMonth}-01T00:00:00Z`))
}

const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' })

/** The shortest unambiguous form: "today, 14:02", "yesterday, 14:02", "3 May, 14:02", "3 May 2024". */
export function formatDateTime(iso: string, now: number): string {
  const date = new Date(iso)
  const today = new Date(now)
  const days = Math.round((startOfDay(today) - startOfDay(date)) / 86_400_000)
  if (Math.abs(days) <= 1) return `${relative.format(-days, 'day')}, ${time.format(date)}`
  if (date.getFullYear() === today.getFullYear()) return `${day.format(date)}, ${time.format(date)}`
  return dayOfYear.format(date)
}

/** The day alone: "3 May", "3 May 2024". */
export function formatDay(iso: string, now: number): string {
  const date = new Date(iso)
  return date.getFullYear() === new Date(now).getFullYear() ? day.format(date) : dayOfYear.format(date)
}

/** The date in the user's time zone: "2026-11-21". Date inputs need this form, and file names sort by it. */
export function formatIsoDate(time: number): string {
  const date = new Date(time)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** The full date and time with the weekday, for tooltips. */
export function formatFullDateTime(iso: string): string {
  return full.format(new Date(iso))
}

/** "Monday"; 0 is Sunday. */
export function formatWeekday(weekday: number): string {
  return weekdays.format(Date.UTC(2026, 1, 1 + weekday))
}

const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
/** Unit lengths in seconds, longest first. */
const RELATIVE_UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** The distance from now in one unit: "just now", "5 minutes ago", "yesterday", "in 3 months". */
export function formatRelative(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000
  const found = RELATIVE_UNITS.find(([, length]) => Math.abs(seconds) >= length)
  if (found === undefined) return seconds > 0 ? baseCopy.inUnderAMinute : baseCopy.justNow
  const [name, length] = found
  return relative.format(Math.round(seconds / length), name)
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

const DURATION_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** The two largest units: "2 days 3 hours", "59 seconds". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const first = DURATION_UNITS.findIndex(([, length]) => seconds >= length)
  if (first === -1) return unit(0, 'second')
  return DURATION_UNITS.slice(first, first + 2)
    .map(([name, length], index) => {
      const rest = index === 0 ? seconds : seconds % (DURATION_UNITS[first]?.[1] ?? 1)
      return [Math.floor(rest / length), name] as const
    })
    .filter(([count]) => count > 0)
    .map(([count, name]) => unit(count, name))
    .join(' ')
}

function unit(count: number, name: (typeof DURATION_UNITS)[number][0]): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(count)
}

/** The units of estimates, each with the shortest duration that it is used for and the step to which it is rounded. */
const ESTIMATE_UNITS = [
  { name: 'day', seconds: 86_400, from: 2, step: 1 },
  { name: 'hour', seconds: 3_600, from: 2, step: 0.5 },
  { name: 'minute', seconds: 60, from: 10, step: 5 },
  { name: 'minute', seconds: 60, from: 2, step: 1 },
  { name: 'second', seconds: 1, from: 10, step: 5 },
  { name: 'second', seconds: 1, from: 0, step: 1 },
] as const

/** One unit, for estimates: "90 minutes", "2.5 hours", "40 seconds". */
export function formatApproximateDuration(ms: number): string {
  const seconds = Math.max(1, ms / 1000)
  const found = ESTIMATE_UNITS.find(({ seconds: length, from }) => seconds >= from * length)
  const { name, seconds: length, step } = found ?? ESTIMATE_UNITS[5]
  return unit(Math.round(seconds / length / step) * step, name)
}
