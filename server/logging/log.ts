import { redactSecrets } from './redact-secrets.ts'

/** One line per event on stderr: time, level, message, fields. Stdout is for the results of commands. */
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>

export type LogFields = Readonly<Record<string, unknown>>

/** The most urgent first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** `json` is one JSON object per line, for programs; `text` is `time level message name=value`, for people. */
export const LOG_FORMATS = ['json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export interface LogSettings {
  /** Null: text on a terminal, else JSON. */
  readonly logFormat: LogFormat | null
  readonly logLevel: LogLevel
}

/**
 * Writes events that are at least as urgent as `logLevel`. What looks like a secret is replaced, but callers must not
 * rely on it: never pass one.
 */
export function openLog(
  settings: LogSettings = { logFormat: 'text', logLevel: 'info' },
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  let lineOf: typeof textLine | null = null
  const least = LOG_LEVELS.indexOf(settings.logLevel)
  const at = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) > least) return () => {}
    return (message: string, fields: LogFields = {}) => {
      lineOf ??= logFormatOf(settings) === 'json' ? jsonLine : textLine
      write(`${lineOf(new Date().toISOString(), level, message, fields)}\n`)
    }
  }
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

/** To be called as late as possible: to load Node's stream for stderr takes 2 ms of a start. */
export function logFormatOf({ logFormat }: Pick<LogSettings, 'logFormat'>): LogFormat {
  return logFormat ?? (process.stderr.isTTY ? 'text' : 'json')
}

function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const values = Object.entries(fields).map(([name, value]) => [name, plainValue(value)])
  const own = { time, level, message }
  // The first spread puts them at the start of the line, the last one keeps fields from overriding them.
  return JSON.stringify({ ...own, ...Object.fromEntries(values), ...own })
}

function textLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${quoted(plainValue(value))}`)
  return `${time} ${level} ${message}${pairs.join('')}`
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return redactSecrets(value instanceof Error ? stackOf(value) : String(value))
}

/** With its causes: only the cause of a failed query has the message of the database. */
function stackOf(error: Error): string {
  const own = error.stack ?? error.message
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own
}

/** Quotes texts with spaces, and escapes line breaks, so that an event stays on one line. */
function quoted(value: string | number | boolean | null): string {
  const text = String(value)
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text)
}
