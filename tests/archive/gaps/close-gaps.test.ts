import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ArchiveFile } from '../../../server/archive/file.ts'
import { MAX_PADDING_BYTES } from '../../../server/archive/format.ts'
import { type ByteMove, resumeMove } from '../../../server/archive/gaps/byte-move.ts'
import { closeGaps, type MoveJournal } from '../../../server/archive/gaps/close-gaps.ts'
import type { LocatedEntry } from '../../../server/archive/gaps/plan-moves.ts'
import { readRange } from '../../../server/archive/reading/reader.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { entriesOf, type Layout, movedBytes, times } from './gap-layouts.ts'

const never = new AbortController().signal
const MB = 1_000_000

/** Records moves as a checkpoint does, and can fail at any commit. */
class Journal implements MoveJournal {
  readonly settledBytes = 0
  entries: LocatedEntry[]
  move: ByteMove | null = null
  commits = 0
  readonly #failsAtCommit: number
  constructor(entries: readonly LocatedEntry[], failsAtCommit = Infinity) {
    this.entries = [...entries]
    this.#failsAtCommit = failsAtCommit
  }
  async commitOffsets(offsets: ReadonlyMap<number, number>): Promise<void> {
    this.#commit()
    this.entries = this.entries.map((entry) => {
      return { ...entry, offset: offsets.get(entry.position) ?? entry.offset }
    })
  }
  async moved(move: ByteMove): Promise<void> {
    this.#commit()
    this.move = move
  }
  async ended({ from, to, by }: ByteMove): Promise<void> {
    this.#commit()
    this.move = null
    this.entries = this.entries.map((entry) =>
      entry.offset >= from && entry.offset < to ? { ...entry, offset: entry.offset - by } : entry,
    )
  }
  #commit(): void {
    if (this.commits++ >= this.#failsAtCommit) throw new Error('power loss')
  }
}

/** The content of an entry. It differs between entries, so that misplaced bytes are detected. */
function contentOf({ position, lengthBytes }: LocatedEntry): Uint8Array {
  const seed = Uint8Array.from({ length: 251 + position }, (_, index) => (index * 31 + position * 97) & 0xff)
  return Buffer.alloc(lengthBytes, seed)
}

function fileOf(path: string, entries: readonly LocatedEntry[]): ArchiveFile {
  const file = ArchiveFile.open(path, entries)
  for (const entry of entries) file.write(contentOf(entry), entry.offset)
  return file
}

async function expectClosed(file: ArchiveFile, entries: readonly LocatedEntry[]): Promise<void> {
  expect(file.gaps.filter(({ lengthBytes }) => lengthBytes >= MAX_PADDING_BYTES)).toEqual([])
  for (const entry of entries) {
    const found = await readRange(file, entry.offset, entry.lengthBytes)
    expect(Buffer.compare(found, contentOf(entry))).toBe(0)
  }
}

/** Layouts with gaps and entries of all sizes that the plan distinguishes. */
const layouts: fc.Arbitrary<Layout> = fc.array(
  fc.tuple(
    fc.oneof(fc.constant(0), fc.nat(59_999), fc.integer({ min: 60_000, max: 400_000 }), fc.nat(2 * MB)),
    fc.oneof(fc.integer({ min: 40, max: 59_999 }), fc.integer({ min: 60_000, max: 700_000 })),
  ),
  { minLength: 1, maxLength: 12 },
)
/** Less than the length of large entries, so that these move in steps. */
const STEP = 150_000

test('in any layout, padding can fill all remaining gaps, and every entry is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(layouts, async (layout) => {
      using dir = tempDir()
      using file = fileOf(dir.file('a.part'), entriesOf(layout))
      const journal = new Journal(entriesOf(layout))
      const before = file.endOffset
      await closeGaps(file, journal.entries, journal, never, STEP)
      await expectClosed(file, journal.entries)
      expect(file.endOffset).toBeLessThanOrEqual(before)
    }),
    { numRuns: 40 },
  )
})

test('a move that crashes at any step is resumed and loses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(layouts, fc.nat(20), async (layout, failsAtCommit) => {
      using dir = tempDir()
      const path = dir.file('a.part')
      const journal = new Journal(entriesOf(layout), failsAtCommit)
      {
        using file = fileOf(path, journal.entries)
        await closeGaps(file, journal.entries, journal, never, STEP).catch(() => {})
      }
      using reopened = ArchiveFile.open(path, journal.entries)
      const next = new Journal(journal.entries)
      if (journal.move !== null) await resumeMove(reopened, journal.move, next, never, STEP)
      reopened.setTaken(next.entries)
      await closeGaps(reopened, next.entries, next, never, STEP)
      await expectClosed(reopened, next.entries)
    }),
    { numRuns: 40 },
  )
})

test('a stop ends a copy, and records nothing', async () => {
  using dir = tempDir()
  const entries = entriesOf([[100_000, 3 * MB]])
  using file = fileOf(dir.file('a.part'), entries)
  const journal = new Journal(entries)
  const stop = AbortSignal.abort(new Error('stop'))
  await expect(closeGaps(file, entries, journal, stop)).rejects.toThrow('stop')
  expect(journal.commits).toBe(0)
})

test.each<[string, Layout, number]>([
  ['is filled with the last entries', [[5 * MB, 1000 * MB], ...times(12, [0, 410_000])], 5 * MB],
  [
    'is filled with one small entry',
    [
      [100_000, 500 * MB],
      [0, 20_000],
      [0, 500 * MB],
    ],
    20_001,
  ],
  ['becomes padding of two headers', [[100_000, 10 * MB], ...times(9, [0, 110 * MB])], 10 * MB + 1],
  [
    'is split by moving the entry before it',
    [
      [0, MB],
      [100_000, 500 * MB],
      [0, 500 * MB],
    ],
    MB + 1,
  ],
  ['that padding can fill moves nothing', times(5000, [59_999, 200_000]), 1],
])('a gap %s: little is moved', (_title, layout, limitBytes) => {
  expect(movedBytes(layout)).toBeLessThan(limitBytes)
})

/** The number of syncs and commits needed to close the gaps of a sparse file. */
async function countSteps(layout: Layout): Promise<{ syncs: number; commits: number }> {
  using dir = tempDir()
  const journal = new Journal(entriesOf(layout))
  using file = ArchiveFile.open(dir.file('a.part'), journal.entries)
  file.write(Uint8Array.of(1), file.endOffset - 1)
  let syncs = 0
  const sync = file.sync.bind(file)
  file.sync = () => {
    syncs += 1
    return sync()
  }
  await closeGaps(file, journal.entries, journal, never)
  expect(file.gaps.every(({ lengthBytes }) => lengthBytes < MAX_PADDING_BYTES)).toBe(true)
  return { syncs, commits: journal.commits }
}

test.each<[string, Layout, number]>([
  // One sync and one commit per 64 MiB. With 5 ms each, that is 0.2 s per gigabyte.
  ['of one large entry', [[100_000, 320 * MB]], 7],
  ['of many entries', [[100_000, 300_000], ...times(100, [0, 3 * MB])], 4],
  ['between thousands of small failed bodies', times(1000, [100_000, 150_000]), 20],
])('closing the gaps %s takes few syncs and commits', async (_title, layout, maxCount) => {
  const { syncs, commits } = await countSteps(layout)
  expect(syncs).toBeLessThanOrEqual(maxCount)
  expect(commits).toBeLessThanOrEqual(maxCount)
})
