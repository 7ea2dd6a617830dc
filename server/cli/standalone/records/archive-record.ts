import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import type { CheckpointEntry } from '../../../engine/checkpoint/checkpoint.ts'
import {
  type BaseEntry,
  type FinalPlace,
  type SourcesInMemory,
  type SourceToPack,
  sourceKey,
} from '../../../engine/job-order.ts'
import { writeDurably } from '../../../files/durable.ts'
import { parseJson } from '../../../text/parse-json.ts'
import { UsageError } from '../../command.ts'
import { baseEntrySchema } from './schemas.ts'

/**
 * Writes the record of a finished archive: a private file of JSON lines next to it. It contains the URL of each entry, which the
 * ZIP does not.
 * @param changed the entries whose names or places have changed since the last checkpoint
 */
export function writeArchiveRecord(
  archivePath: string,
  sources: SourcesInMemory,
  entries: readonly CheckpointEntry[],
  changed: readonly FinalPlace[],
): void {
  const finalPlaces = new Map(changed.map((place) => [place.position, place]))
  const lines = entries.flatMap((entry) => {
    const [source] = sources.slice(entry.position, entry.position + 1)
    if (entry.status !== 'stored' || source === undefined) return []
    const { name: finalName, offset, headerBytes } = finalPlaces.get(entry.position) ?? entry
    const { url, filename } = source
    return [JSON.stringify({ url, filename, entry: { ...entry, finalName, offset, headerBytes } })]
  })
  const text = lines.join('\n')
  const head = JSON.stringify({ record: RECORD_VERSION, digest: digestOf(text) })
  writeDurably(recordPathOf(archivePath), `${head}\n${text}`)
}

/**
 * The sources, each with the entry of the archive for the same URL and name, if there is one.
 * @throws UsageError when the archive or its record can't be read
 */
export function findInArchive(archivePath: string, sources: SourcesInMemory): SourceToPack[] {
  const entries = new Map<string, BaseEntry>()
  for (const { url, filename, entry } of readRecord(archivePath)) {
    const key = sourceKey({ url, filename })
    if (!entries.has(key)) entries.set(key, entry)
  }
  return sources.slice(0, sources.length).map((source) => {
    const base = entries.get(sourceKey(source))
    return base === undefined ? source : { ...source, base }
  })
}

/** Where the record of an archive is. */
export function recordPathOf(archivePath: string): string {
  return `${archivePath}.sources.json`
}

function readRecord(archivePath: string): RecordLine[] {
  if (!isFile(archivePath)) throw new UsageError('--base: expected an archive')
  const recordPath = recordPathOf(archivePath)
  if (!isFile(recordPath)) {
    throw new UsageError(
      `--base: ${recordPath} is missing. Create the archive with --remember, which writes that file.`,
    )
  }
  const text = readFileSync(recordPath, 'utf8')
  const end = text.indexOf('\n')
  const rest = text.slice(end + 1)
  const head = headSchema.safeParse(parseJson(text.slice(0, Math.max(0, end))))
  const lines = linesSchema.safeParse(rest === '' ? [] : rest.split('\n').map(parseJson))
  if (!head.success || head.data.digest !== digestOf(rest) || !lines.success) {
    throw new UsageError(`--base: ${recordPath} is damaged. Leave --base out, or choose another archive.`)
  }
  return lines.data
}

/** Only a regular file: to read a pipe could block forever. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function digestOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

const RECORD_VERSION = 1

const headSchema = z.object({ record: z.literal(RECORD_VERSION), digest: z.string() })
const linesSchema = z.array(
  z.object({ url: z.string(), filename: z.nullable(z.string()), entry: baseEntrySchema }),
)
type RecordLine = z.infer<typeof linesSchema>[number]
