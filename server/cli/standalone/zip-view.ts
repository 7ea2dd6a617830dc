import type { JobOutcome, JobProgress } from '../../engine/job-order.ts'
import { formatBytes } from '../../text/format-bytes.ts'

/** Shows the progress of `holdall zip`. */
export interface ZipView {
  progress(progress: JobProgress): void
  end(outcome: JobOutcome): void
}

/** Events for a program: one JSON object per line. */
export function jsonView(print: (line: string) => void): ZipView {
  const printEvent = (event: object) => print(JSON.stringify(event))
  return {
    progress({ fileCount, zipBytes, warningCount, receivedBytes, doneFraction, entries }) {
      for (const { position, status, name, sizeBytes, expectedBytes, sha256, error, warning } of entries) {
        printEvent({
          event: 'entry',
          position,
          status,
          name,
          size: sizeBytes,
          expected_size: expectedBytes,
          sha256,
          error,
          warning,
        })
      }
      printEvent({
        event: 'progress',
        file_count: fileCount,
        zip_size: zipBytes,
        warning_count: warningCount,
        received: receivedBytes,
        progress: doneFraction,
      })
    },
    end(outcome) {
      if (outcome.status === 'completed') {
        printEvent({
          event: 'end',
          status: 'completed',
          file_count: outcome.fileCount,
          zip_size: outcome.zipBytes,
        })
      } else {
        printEvent({ event: 'end', ...outcome })
      }
    },
  }
}

/** A progress bar, redrawn on one line of a terminal. */
export function barView(terminal: NodeJS.WriteStream, urlCount: number): ZipView {
  const meter = openMeter(urlCount)
  return {
    progress(progress) {
      const text = meter(progress)
      const width = Math.max(0, Math.min(40, terminal.columns - text.length - 4))
      const filled = Math.round(width * progress.doneFraction)
      terminal.write(`\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${text}`)
    },
    end: () => void terminal.write('\r\x1b[K'),
  }
}

/** One line per second, for logs. */
export function lineView(write: (line: string) => void, urlCount: number): ZipView {
  const meter = openMeter(urlCount)
  let writtenAtMs = performance.now()
  return {
    progress(progress) {
      const text = meter(progress)
      if (performance.now() - writtenAtMs < LINE_INTERVAL_MS) return
      writtenAtMs = performance.now()
      write(text)
    },
    end() {},
  }
}

/** Formats the progress: `12 of 400 files, 34.5 MB, 12.3 MB/s`. */
function openMeter(urlCount: number): (progress: JobProgress) => string {
  const startedMs = performance.now()
  const failed = new Set<number>()
  return ({ fileCount, zipBytes, receivedBytes, entries }) => {
    for (const { position, status } of entries) if (status === 'failed') failed.add(position)
    const bytesPerSecond = receivedBytes / Math.max(0.1, (performance.now() - startedMs) / 1000)
    const failures = failed.size === 0 ? '' : `, ${failed.size} failed`
    return `${fileCount} of ${urlCount} files${failures}, ${formatBytes(zipBytes)}, ${formatBytes(bytesPerSecond)}/s`
  }
}

const LINE_INTERVAL_MS = 1000
