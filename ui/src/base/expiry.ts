import { controlsCopy } from '../language/english/controls.ts'

/** The lifetimes that a form offers for a key or a login. With `date` the user chooses the last day. */
export const LIFETIMES = [
  { value: 'never', label: controlsCopy.lifetimes.never },
  { value: '7', label: controlsCopy.lifetimes[7] },
  { value: '30', label: controlsCopy.lifetimes[30] },
  { value: '90', label: controlsCopy.lifetimes[90] },
  { value: '365', label: controlsCopy.lifetimes[365] },
  { value: 'date', label: controlsCopy.lifetimes.date },
] as const
export type Lifetime = (typeof LIFETIMES)[number]['value']

/**
 * Returns when what is created at `now` expires, as ISO 8601; null for never, undefined if `date` is needed but invalid.
 * A date (`2026-05-03`) is the last day on which it is valid, in the user's time zone.
 */
export function expiryOf(lifetime: Lifetime, date: string, now: number): string | null | undefined {
  if (lifetime === 'never') return null
  if (lifetime !== 'date') return new Date(now + Number(lifetime) * DAY_MS).toISOString()
  const end = new Date(`${date}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}

const DAY_MS = 86_400_000
