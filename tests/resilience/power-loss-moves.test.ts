import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { ArchiveFile } from '../../server/archive/file.ts'
import { MAX_PADDING_BYTES } from '../../server/archive/format.ts'
import { resumeMove } from '../../server/archive/gaps/byte-move.ts'
import { closeGaps } from '../../server/archive/gaps/close-gaps.ts'
import { readRange } from '../../server/archive/reading/reader.ts'
import type { CheckpointChange, StoredEntry } from '../../server/engine/checkpoint/checkpoint.ts'
import { Checkpointer } from '../../server/engine/checkpoint/checkpointer.ts'
import { spacesOf, validateCheckpoint } from '../../server/engine/checkpoint/spaces.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { storedEntryAt } from '../support/stored-entry.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'
import { type DiskEvent, recordDisk } from './disk-recorder.ts'
import { losePower, type Survivors } from './power-loss.ts'

const never = new AbortController().signal
/** Less than the length of some entries, so that these move in steps. */
const STEP = 100_000

/** The gap before each entry, and its length. Closing the gaps uses every kind of move, and padding. */
const LAYOUT = [
  [100_000, 400_000],
  [100_000, 700_000],
  [0, 300_000],
  [1_200_000, 250_000],
  [30_000, 5_000],
  [0, 90_000],
  [120_000, 80_000],
  [0, 500_000],
  [90_000, 200_000],
] as const

function layOut(): StoredEntry[] {
  let offset = 0
  return LAYOUT.map(([gapBytes, lengthBytes], position) => {
    const entry = storedEntryAt(position, offset + gapBytes, lengthBytes)
    offset += gapBytes + lengthBytes
    return entry
  })
}

function contentOf({ position, headerBytes, compressedBytes }: StoredEntry): Uint8Array {
  const seed = Uint8Array.from({ length: 251 + position }, (_, index) => (index * 31 + position * 97) & 0xff)
  return Buffer.alloc(headerBytes + compressedBytes, seed)
}

async function recordMoves(path: string): Promise<readonly DiskEvent[]> {
  using recorder = recordDisk()
  const entries = layOut()
  using file = ArchiveFile.open(path, entries.flatMap(spacesOf))
  for (const entry of entries) file.write(contentOf(entry), entry.offset)
  await using checkpointer = new Checkpointer(
    file,
    { entries: [], settledBytes: 0 },
    async (changes, durable) => recorder.commit({ changes, durable }),
    fail,
  )
  for (const entry of entries) checkpointer.put(entry)
  await checkpointer.flush(true)
  await closeGaps(file, checkpointer.known.locations(), checkpointer, never, STEP)
  return [...recorder.events]
}

/** Resumes the moves after a power loss, and expects every entry to be unchanged. */
async function recover(dir: TempDir, name: string, { file: bytes, checkpoint }: Survivors): Promise<void> {
  const path = dir.file(name)
  writeFileSync(path, bytes)
  const { valid, lost } = validateCheckpoint(checkpoint, path)
  expect(lost).toEqual([])
  using file = ArchiveFile.open(path, valid.entries.flatMap(spacesOf))
  await using checkpointer = new Checkpointer(file, valid, async () => {}, fail)
  if (valid.move !== null) await resumeMove(file, valid.move, checkpointer, never, STEP)
  file.setTaken(checkpointer.known.spaces())
  await closeGaps(file, checkpointer.known.locations(), checkpointer, never, STEP)
  expect(file.gaps.filter(({ lengthBytes }) => lengthBytes >= MAX_PADDING_BYTES)).toEqual([])
  expect([...checkpointer.known.stored()]).toHaveLength(LAYOUT.length)
  for (const entry of checkpointer.known.stored()) {
    const content = contentOf(entry)
    const found = await readRange(file, entry.offset, content.length)
    expect([entry.position, Buffer.compare(found, content)]).toEqual([entry.position, 0])
  }
}

function fail(error: unknown): void {
  throw error
}

test('after a power loss at any moment of a move, every entry is complete at the offset in its row', async () => {
  using dir = tempDir()
  const events = await recordMoves(dir.file('recorded.part'))
  const changes = events.flatMap((event): readonly CheckpointChange[] =>
    event.kind === 'commit' ? event.changes : [],
  )
  const count = (kind: CheckpointChange['kind']) => changes.filter((change) => change.kind === kind).length
  expect(count('put')).toBeGreaterThan(LAYOUT.length)
  expect([count('move') > 3, count('shift') > 0]).toEqual([true, true])
  const begun = events.findIndex(({ kind }) => kind === 'commit') + 1
  const random = seededRandom(11)
  for (let at = begun; at <= events.length; at++) {
    // Each attempt keeps other pages.
    for (const attempt of [1, 2]) await recover(dir, `${at}-${attempt}`, losePower(events, at, random))
  }
}, 120_000)
