import type { ArchiveFile, Space } from '../../archive/file.ts'
import { MAX_PADDING_BYTES } from '../../archive/format.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import type { DiskSpace } from '../limits/disk.ts'

/** What closing a gap uses of the archive. */
export interface GapClosingArchive {
  readonly file: ArchiveFile
  readonly checkpointer: Pick<Checkpointer, 'known' | 'settledBytes' | 'relocate'>
  readonly diskSpace: Pick<DiskSpace, 'ensureRoom'>
  readonly signal: AbortSignal
}

/** Whether an entry can be settled as soon as it is where the gap is. */
type IsFinal = (entry: StoredEntry) => boolean

/**
 * Closes the gap that a failed body has left, when nothing else keeps the bytes after it from being settled, and padding can't fill it.
 * Entries from the end of the file are copied into it. When all of them are too large, the one after the gap is first copied to the end,
 * and comes back with as much padding as its header has room for. An entry that is still received, or is larger than `MAX_MOVED_BYTES`, is
 * waited for. As always, the copies are durable and committed before the space of the originals is used again.
 * @returns whether anything was moved
 */
export async function closeGapInTheWay(archive: GapClosingArchive, isFinal: IsFinal): Promise<boolean> {
  const { file, checkpointer, signal } = archive
  for (let hasMoved = false; ; hasMoved = true) {
    const gap = gapInTheWay(archive)
    if (gap === null || signal.aborted) return hasMoved
    const fitting = entriesFor(gap, checkpointer, isFinal)
    if (fitting.length > 0) await moveInto(gap, fitting, archive)
    else {
      const next = checkpointer.known.storedAt(gap.offset + gap.lengthBytes)
      if (next === undefined || !isFinal(next) || lengthOf(next) > MAX_MOVED_BYTES) return hasMoved
      archive.diskSpace.ensureRoom(lengthOf(next))
      await move([{ entry: next, to: file.allocate(lengthOf(next)) }], archive)
    }
  }
}

/** Null when the first gap can be filled with padding, or is behind something that is not settled yet. */
export function gapInTheWay({
  file,
  checkpointer,
}: Pick<GapClosingArchive, 'file' | 'checkpointer'>): Space | null {
  const [gap] = file.gaps
  const isFirst = gap?.offset === checkpointer.settledBytes
  return gap !== undefined && isFirst && gap.lengthBytes >= MAX_PADDING_BYTES ? gap : null
}

/** The last entries of the file that fit into the gap together. */
function entriesFor(
  gap: Space,
  checkpointer: GapClosingArchive['checkpointer'],
  isFinal: IsFinal,
): StoredEntry[] {
  const chosen: StoredEntry[] = []
  let leftBytes = Math.min(gap.lengthBytes, MAX_MOVED_BYTES)
  const behind = checkpointer.known.stored().filter(({ offset }) => offset > gap.offset)
  for (const entry of behind.sort((a, b) => b.offset - a.offset)) {
    if (lengthOf(entry) > leftBytes || !isFinal(entry)) continue
    leftBytes -= lengthOf(entry)
    chosen.push(entry)
    if (leftBytes < MAX_PADDING_BYTES) break
  }
  return chosen
}

/** A rest of the gap becomes padding before the first of them, as much as its header has room for. */
async function moveInto(
  gap: Space,
  entries: readonly StoredEntry[],
  archive: GapClosingArchive,
): Promise<void> {
  const lengthBytes = entries.reduce((sum, entry) => sum + lengthOf(entry), 0)
  let offset = gap.offset + Math.min(gap.lengthBytes - lengthBytes, MAX_PADDING_BYTES - 1)
  const moves = entries.map((entry) => {
    const to = { offset, lengthBytes: lengthOf(entry) }
    archive.file.allocateAt(to)
    offset += to.lengthBytes
    return { entry, to }
  })
  await move(moves, archive)
}

async function move(
  moves: readonly { readonly entry: StoredEntry; readonly to: Space }[],
  { file, checkpointer, signal }: GapClosingArchive,
): Promise<void> {
  for (const { entry, to } of moves) await file.copyWithin(entry.offset, to.offset, to.lengthBytes, signal)
  await checkpointer.relocate(new Map(moves.map(({ entry, to }) => [entry.position, to.offset])))
  for (const { entry } of moves) file.release({ offset: entry.offset, lengthBytes: lengthOf(entry) })
}

function lengthOf({ headerBytes, compressedBytes }: StoredEntry): number {
  return headerBytes + compressedBytes
}

/** As much as the disk has free for each job. */
const MAX_MOVED_BYTES = 64 * 1024 * 1024
