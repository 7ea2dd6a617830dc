import { wallClock } from './recurrence.ts'

/** The default of `zip_filename`. */
export const DEFAULT_ZIP_NAME = '{name} {date} {time}'

/**
 * The name of the ZIP of a run, without `.zip`: `{name}` is that of the schedule, `{date}` (2026-11-30) and `{time}` (0615) are
 * those at which the run begins, in the time zone of the schedule.
 */
export function zipNameOf(
  { zipName, name, timeZone }: { zipName: string; name: string; timeZone: string },
  now: number,
): string {
  const { year, month, day, hour, minute } = wallClock(now, timeZone)
  const values: Readonly<Record<string, string>> = {
    name: name.replace(UNSAFE, '_'),
    date: `${year}-${digits(month)}-${digits(day)}`,
    time: `${digits(hour)}${digits(minute)}`,
  }
  const filled = zipName.replace(/\{(name|date|time)\}/g, (_, field: string) => values[field] ?? '')
  return [...filled].slice(0, MAX_CHARACTERS).join('')
}

function digits(number: number): string {
  return String(number).padStart(2, '0')
}

/** What the name of a ZIP must not contain, or what systems refuse. The name of a schedule may have it. */
const UNSAFE = /[/\\<>:"|?*\p{Cc}\p{Bidi_Control}]/gu
/** As in a request. */
const MAX_CHARACTERS = 255
