const number = new Intl.NumberFormat('en')
const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export function formatCount(count: number): string {
  return number.format(count)
}

/** `1 file`, `2 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Decimal units, as plans and disks are sold: `1.05 GB`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZE_UNITS.length - 1)
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: SIZE_UNITS[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  }).format(bytes / 1000 ** step)
}

export function formatDateTime(iso: string): string {
  return dateTime.format(new Date(iso))
}

/** `in 23 hours`, `5 minutes ago`: to the largest unit that counts. */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000
  const [unit, length] = RELATIVE_UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / length), unit)
}

const RELATIVE_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
