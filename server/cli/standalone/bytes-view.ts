import { formatBytes } from '../../text/format-bytes.ts'

/** Shows how many bytes of all are done. */
export interface BytesView {
  /** @param bytes done since the last call */
  add(bytes: number): void
  end(): void
}

/** A progress bar on a terminal, and a line every ten seconds elsewhere. @param totalBytes null while it is not known */
export function bytesView(totalBytes: number | null): BytesView {
  const terminal = process.stderr
  const startedMs = performance.now()
  let shownMs = startedMs
  let done = 0
  return {
    add(bytes) {
      done += bytes
      const nowMs = performance.now()
      if (nowMs - shownMs < (terminal.isTTY ? REDRAW_MS : LINE_MS)) return
      shownMs = nowMs
      const rate = formatBytes(done / ((nowMs - startedMs) / 1000))
      const of = totalBytes === null ? '' : ` of ${formatBytes(totalBytes)}`
      const text = `${formatBytes(done)}${of}, ${rate}/s`
      if (terminal.isTTY)
        terminal.write(`\r\x1b[K${barOf(totalBytes, done, terminal.columns - text.length)}${text}`)
      else console.error(text)
    },
    end() {
      if (terminal.isTTY) terminal.write('\r\x1b[K')
    },
  }
}

function barOf(totalBytes: number | null, done: number, columns: number): string {
  if (totalBytes === null || totalBytes === 0) return ''
  const width = Math.max(0, Math.min(40, columns - 4))
  const filled = Math.min(width, Math.round((width * done) / totalBytes))
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] `
}

const REDRAW_MS = 100
const LINE_MS = 10_000
