import { withoutSecrets } from './without-secrets.ts'

/** One line an event on stderr: time, level, message, fields. Stdout is for answers. */
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>

export type LogFields = Readonly<Record<string, unknown>>

/** From what nobody may miss to what only a search for a fault needs. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** For programs, one JSON object a line; for people, `time level message` and `name=value`. */
export const LOG_FORMATS = ['json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export interface LogSettings {
  readonly logFormat: LogFormat
  readonly logLevel: LogLevel
}

/**
 * Writes what is as urgent as `logLevel` or more to stderr, or wherever `write` leads. Never give it a secret: what
 * looks like one is taken out, but a guard is no licence.
 */
export function openLog(
  settings: LogSettings = { logFormat: 'text', logLevel: 'info' },
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const lineOf = settings.logFormat === 'json' ? jsonLine : textLine
  const least = LOG_LEVELS.indexOf(settings.logLevel)
  const at = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) > least) return () => {}
    return (message: string, fields: LogFields = {}) =>
      write(`${lineOf(new Date().toISOString(), level, message, fields)}\n`)
  }
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const values = Object.entries(fields).map(([name, value]) => [name, plainValue(value)])
  const own = { time, level, message }
  // First for the eye, and last so that no field takes their place.
  return JSON.stringify({ ...own, ...Object.fromEntries(values), ...own })
}

function textLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${quoted(plainValue(value))}`)
  return `${time} ${level} ${message}${pairs.join('')}`
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return withoutSecrets(value instanceof Error ? stackOf(value) : String(value))
}

/** With what caused it: a failed query says only there what the database said. */
function stackOf(error: Error): string {
  const own = error.stack ?? error.message
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own
}

/** Quotes keep a line one line, whatever is in the text. */
function quoted(value: string | number | boolean | null): string {
  const text = String(value)
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text)
}
