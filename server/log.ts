/** One line an event on stderr: time, level, message, then `key=value` fields. Stdout is for answers. */
export interface Log {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, unknown>>

/** Writes to stderr, or wherever `write` leads; never give it a secret, a URL's credentials or a token. */
export function openLog(write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${logged(value)}`)
      write(`${new Date().toISOString()} ${level} ${message}${pairs.join('')}\n`)
    }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

function logged(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.stack ?? value.message)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = String(value)
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text)
}
