import type { Entry } from '../api/types.ts'
import { formatBytes, formatPartOfBytes } from '../base/format.ts'
import { archivePageCopy } from '../language/english/archive-page.ts'
import type { EntryTable } from '../map/entry-table.ts'
import { entryTitle } from '../map/entry-title.ts'

/** The files that an archive waits for at its end. */
export interface LastFiles {
  /** "1 file left: film.mp4, 71 of 300 MB". Of several, the one of which most is missing is named. */
  readonly text: string
  /** How long they will take at the present speed; null when that is not known. */
  readonly leftMs: number | null
}

/** @returns null as long as links wait for their turn, or many files arrive at once */
export function lastFilesOf(entries: EntryTable, bytesPerSecond: number): LastFiles | null {
  const { waiting, fetching } = entries.counts()
  if (waiting > 0 || fetching === 0 || fetching > MAX_LAST_FILES) return null
  const arriving = entries.rows().filter(({ status }) => status === 'fetching')
  const [slowest] = arriving.toSorted((a, b) => missingBytes(b) - missingBytes(a))
  if (slowest === undefined) return null
  const missing = arriving.reduce((sum, entry) => sum + missingBytes(entry), 0)
  return {
    text: archivePageCopy.progress.lastFiles(fetching, entryTitle(slowest), arrivedText(slowest)),
    leftMs: Number.isFinite(missing) && bytesPerSecond > 0 ? (1000 * missing) / bytesPerSecond : null,
  }
}

/** What has arrived of a file: "71 of 300 MB", or "71 MB so far" if its size is not known. */
function arrivedText({ size, expected_size }: Entry): string {
  return expected_size === null
    ? archivePageCopy.progress.soFar(formatBytes(size))
    : formatPartOfBytes(size, expected_size)
}

/** A file of unknown size may be the last to arrive. */
function missingBytes({ size, expected_size }: Entry): number {
  return expected_size === null ? Number.POSITIVE_INFINITY : expected_size - size
}

/** Of more files, no single one is what the archive waits for. */
const MAX_LAST_FILES = 5
