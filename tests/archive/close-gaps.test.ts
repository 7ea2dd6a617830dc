import { expect, test } from 'bun:test'
import { ArchiveFile, type Space } from '../../server/archive/archive-file.ts'
import { closeGaps, type Slide, type SlideJournal, slideOn } from '../../server/archive/close-gaps.ts'
import { tempDir } from '../support/temp-dir.ts'

const forever = new AbortController().signal

/** Writes down moves as a checkpoint does, and can die at any of them. */
class Journal implements SlideJournal {
  spaces: Space[]
  slide: Slide | null = null
  steps = 0
  readonly #diesAtStep: number
  constructor(spaces: readonly Space[], diesAtStep = Infinity) {
    this.spaces = [...spaces]
    this.#diesAtStep = diesAtStep
  }
  async moved(slide: Slide): Promise<void> {
    this.#step()
    this.slide = slide
  }
  async ended({ from, to, by }: Slide): Promise<void> {
    this.#step()
    this.slide = null
    this.spaces = this.spaces.map((space) =>
      space.offset >= from && space.offset < to ? { ...space, offset: space.offset - by } : space,
    )
  }
  #step(): void {
    if (this.steps++ >= this.#diesAtStep) throw new Error('power is gone')
  }
}

function pattern(space: Space, seed: number): Uint8Array {
  return Uint8Array.from({ length: space.lengthBytes }, (_, index) => (index * 31 + seed * 97) & 0xff)
}

/** A file of spaces with gaps of the given lengths before each. */
function fileWithGaps(path: string, layout: readonly (readonly [gapBytes: number, spaceBytes: number])[]) {
  let offset = 0
  const spaces = layout.map(([gapBytes, lengthBytes]): Space => {
    const space = { offset: offset + gapBytes, lengthBytes }
    offset = space.offset + lengthBytes
    return space
  })
  const file = ArchiveFile.open(path, spaces)
  spaces.forEach((space, index) => {
    file.write(pattern(space, index), space.offset)
  })
  return { file, spaces }
}

function expectContents(file: ArchiveFile, spaces: readonly Space[]): void {
  spaces.forEach((space, index) => {
    const found = new Uint8Array(space.lengthBytes)
    file.read(found, space.offset)
    expect(Buffer.compare(found, pattern(space, index))).toBe(0)
  })
}

const LAYOUT = [
  [70_000, 200_000],
  [500, 90_000],
  [100_000, 300_000],
  [0, 10],
  [3_000_000, 5_000],
] as const

test('large gaps are closed, small ones before them stay for padding', async () => {
  using dir = tempDir()
  const { file, spaces } = fileWithGaps(dir.file('a.part'), [[400, 1000], ...LAYOUT])
  using _ = file
  const journal = new Journal(spaces)
  await closeGaps(file, journal, forever)
  expect(file.gaps).toEqual([{ offset: 0, lengthBytes: 400 }])
  expect(file.endOffset).toBe(400 + 1000 + 200_000 + 90_000 + 300_000 + 10 + 5_000)
  expectContents(file, journal.spaces)
})

test('a move that dies at any step goes on where it was and loses nothing', async () => {
  for (let diesAtStep = 0; ; diesAtStep++) {
    using dir = tempDir()
    const path = dir.file('a.part')
    const { file, spaces } = fileWithGaps(path, LAYOUT)
    const journal = new Journal(spaces, diesAtStep)
    const died = await closeGaps(file, journal, forever).then(
      () => false,
      () => true,
    )
    file[Symbol.dispose]()

    using reopened = ArchiveFile.open(path, journal.spaces)
    const next = new Journal(journal.spaces)
    if (journal.slide !== null) await slideOn(reopened, journal.slide, next, forever)
    await closeGaps(reopened, next, forever)
    expect(reopened.gaps).toEqual([])
    expectContents(reopened, next.spaces)
    if (!died) break
  }
})

test('a stop between two pieces of a move is obeyed', async () => {
  using dir = tempDir()
  const { file, spaces } = fileWithGaps(dir.file('a.part'), LAYOUT)
  using _ = file
  const journal = new Journal(spaces)
  await expect(closeGaps(file, journal, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  expect(journal.steps).toBe(0)
})
