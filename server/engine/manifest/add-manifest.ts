import type { ArchiveFile } from '../../archive/file.ts'
import type { BlockQueue } from '../bodies/block-queue.ts'
import { type InMemoryArchive, InMemoryBody } from '../bodies/in-memory.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import { finalNames } from '../checkpoint/final-entries.ts'
import type { Sources } from '../job-order.ts'
import { checksumLine, formatManifestLine, MANIFEST_NAMES } from './manifest.ts'

/** What adding the manifest uses of the archive. */
export interface ArchiveWithManifest extends InMemoryArchive {
  readonly file: InMemoryArchive['file'] & Pick<ArchiveFile, 'endOffset' | 'allocateAtEnd'>
  readonly checkpointer: Pick<Checkpointer, 'known' | 'settledBytes' | 'noteWritten'>
  readonly blocks: Pick<BlockQueue, 'add' | 'drain'>
  readonly signal: AbortSignal
}

/**
 * Packs `sources.jsonl` and `SHA256SUMS` as the last entries, when the names and bytes of all others are final. They are entries like
 * others, at the positions after the last URL, so that checkpoint, directory and limits need not know of them.
 */
export async function addManifest(sources: Sources, archive: ArchiveWithManifest): Promise<void> {
  const { checkpointer } = archive
  const stored = checkpointer.known.stored()
  const [sourcesName, sumsName] = MANIFEST_NAMES
  const last = MANIFEST_NAMES.map((name) => ({ name, offset: archive.file.endOffset }))
  const names = finalNames([...stored, ...last], checkpointer.settledBytes)
  const entries = stored.map((entry, index) => ({ ...entry, name: names[index] ?? entry.name }))
  archive.file.allocateAtEnd()
  // The same after a crash, so that the bytes are the same, too.
  const modifiedAtMs = entries.reduce((latest, entry) => Math.max(latest, timeOf(entry)), 0)
  const hasher = new Bun.CryptoHasher('sha256')
  const position = sources.length
  await pack(archive, { position, name: sourcesName, modifiedAtMs }, sourceLines(sources, entries), hasher)
  const sourcesSum = checksumLine(names[stored.length] ?? sourcesName, hasher.digest('hex'))
  const sums = checksumLines(entries, sourcesSum)
  await pack(archive, { position: position + 1, name: sumsName, modifiedAtMs }, sums, null)
  await archive.blocks.drain()
}

/** Whether the entry of a checkpoint is of the manifest, and not of a URL. */
export function isOfManifest(position: number, sources: { readonly length: number }): boolean {
  return position >= sources.length
}

interface ManifestEntry {
  readonly position: number
  readonly name: string
  readonly modifiedAtMs: number
}

async function pack(
  archive: ArchiveWithManifest,
  entry: ManifestEntry,
  lines: AsyncIterable<string> | Iterable<string>,
  hasher: Bun.CryptoHasher | null,
): Promise<void> {
  const validators = { etag: null, hasLastModified: false, finalUrlHash: null }
  const facts = { declaredBytes: null, isTextLike: true, isDecoded: false, isHashed: false, validators }
  const body = new InMemoryBody(archive, { ...entry, ...facts })
  try {
    for await (const text of inPieces(lines)) {
      archive.signal.throwIfAborted()
      const piece = new TextEncoder().encode(text)
      hasher?.update(piece)
      await body.write(piece)
    }
    await body.finish({ warning: null, sha256: null, fetched: null })
  } catch (error) {
    body.close()
    throw error
  }
}

async function* inPieces(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
}

/** @param entries by position, with their final names */
async function* sourceLines(sources: Sources, entries: readonly StoredEntry[]): AsyncGenerator<string> {
  let next = 0
  for (let first = 0; first < sources.length; first += BATCH) {
    const batch = await sources.slice(first, Math.min(first + BATCH, sources.length))
    for (let entry = entries[next]; entry !== undefined; entry = entries[++next]) {
      if (entry.position >= first + BATCH) break
      const source = batch[entry.position - first]
      if (source === undefined) throw new Error('the sources of the job are no longer there')
      yield formatManifestLine({ ...entry, url: source.url, keptFrom: entry.kept?.from ?? null })
    }
  }
}

function* checksumLines(entries: readonly StoredEntry[], last: string): Generator<string> {
  for (const { name, sha256 } of entries) if (sha256 !== null) yield checksumLine(name, sha256)
  yield last
}

function timeOf({ fetched, modifiedAtMs }: StoredEntry): number {
  return fetched?.fetchedAtMs ?? modifiedAtMs
}

/** URLs that are read together: half a megabyte if they are as long as they may be. */
const BATCH = 64
const PIECE_CHARACTERS = 64 * 1024
