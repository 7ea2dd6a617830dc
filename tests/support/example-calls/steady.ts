import type { ExampleCall, JsonValue } from '../../../server/http/docs/example-calls.ts'

/** The time that the first call seems to happen at. */
const SHOWN_START_MS = Date.parse('2026-03-02T09:00:00.000Z')
const MINUTE_MS = 60_000

/**
 * The same calls with steady values in place of those that differ between two runs.
 * @param names texts, and what is shown in their place
 * @param startMs the time of the stopped clock
 */
export function steady(
  calls: readonly ExampleCall[],
  names: readonly (readonly [string, string])[],
  startMs: number,
): readonly ExampleCall[] {
  const ids = new Map<string, string>()
  const text = names
    .reduce((text, [name, shown]) => text.replaceAll(name, shown), JSON.stringify(calls))
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => {
      const shown = ids.get(id) ?? `8c1f3a52-0d4e-4b6a-9f27-${`${ids.size + 1}`.padStart(12, '0')}`
      ids.set(id, shown)
      return shown
    })
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => shownTime(time, startMs))
  const shown: ExampleCall[] = JSON.parse(
    SECRETS.reduce((text, [secret, as]) => text.replace(secret, as), text),
  )
  return shown.map((call) => ({ ...call, answer: steadyValue(call.answer) }))
}

/** The clock of the service moves ahead by whole minutes. What has another time was noted by another clock. */
function shownTime(time: string, startMs: number): string {
  const sinceMs = Date.parse(time) - startMs
  return new Date(SHOWN_START_MS + (sinceMs > 0 && sinceMs % MINUTE_MS === 0 ? sinceMs : 0)).toISOString()
}

const SECRETS = [
  [/\bhold_\w{20,}/g, 'hold_YOUR_NEW_KEY'],
  [/whsec_[\w+/=]{20,}/g, 'whsec_THE_SECRET'],
  [/(?<=\/download\/)[\w.-]{20,}/g, 'TOKEN'],
  [/(?<=\/share\/)[\w.-]{20,}/g, 'TOKEN'],
  [/(?<=\/sign-in#)[\w-]{20,}/g, 'TOKEN'],
  [/(?<=token\\": \\")[\w-]{20,}/g, 'TOKEN'],
  [/(?<=etag: )\\"[^"]+\\"/gi, '\\"ab12-4f2\\"'],
] as const

/** Values of fields that depend on the machine and the moment. */
const STEADY: Readonly<Record<string, JsonValue>> = {
  month: '2026-03',
  gb_days: 0.02,
  connections_in_use: 0,
  cron: '27 9 * * *',
  next_run_at: '2026-03-03T09:27:00.000Z',
  next_cursor: 'NEXT_CURSOR',
  disk: { free: 60_000_000_000, total: 250_000_000_000, kept_free: 100_663_296 },
}

function steadyValue(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value
  if (isArray(value)) return value.map(steadyValue)
  const fields = Object.entries(value).map(([name, field]) => [name, steadyField(name, field)])
  return Object.fromEntries(fields)
}

function steadyField(name: string, value: JsonValue): JsonValue {
  return value === null ? null : (STEADY[name] ?? steadyValue(value))
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
