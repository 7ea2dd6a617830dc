const DAY_MS = 86_400_000

/** How long a new key is good for, as the form offers it; with `date` one chooses the last day. */
export const KEY_LIFETIMES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'After a date…' },
] as const
export type KeyLifetime = (typeof KEY_LIFETIMES)[number]['value']

/**
 * When a key expires that is made now, as ISO 8601; null for never, undefined while no date is chosen. A date
 * (`2026-05-03`) is the last day that the key is good, in the time zone of whoever chose it.
 */
export function expiryOf(lifetime: KeyLifetime, date: string, now: number): string | null | undefined {
  if (lifetime === 'never') return null
  if (lifetime !== 'date') return new Date(now + Number(lifetime) * DAY_MS).toISOString()
  const end = new Date(`${date}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}

/** The day where the reader is, as a date field takes it. */
export function dateOf(time: number): string {
  const moment = new Date(time)
  const twoDigits = (count: number) => String(count).padStart(2, '0')
  return `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`
}
