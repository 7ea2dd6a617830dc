import { expect, test } from 'bun:test'
import type { ArchiveContent } from '../../server/archive-store/archive-content.ts'
import type { ArchivedEntry } from '../../server/downloads/archived-entry-store.ts'
import { selectionOf } from '../../server/downloads/selection.ts'

/** An archive whose bytes are all zero. */
const zeros: ArchiveContent = {
  path: null,
  linkFor: () => Promise.resolve(null),
  async *pieces(_offset, lengthBytes) {
    yield new Uint8Array(lengthBytes)
  },
}

const entry = (position: number): ArchivedEntry => ({
  position,
  name: `${position}.txt`,
  sizeBytes: 10,
  compressedBytes: 10,
  warningCode: null,
  offset: position * 100,
  headerBytes: 50,
  crc32: 0,
  method: 0,
  modifiedAtMs: 0,
})

const noNextTurn = () => Promise.resolve()

test('A selection breaks off when its archive is deleted while it is sent, and never ends as if it were whole', async () => {
  const all = Array.from({ length: 300 }, (_, position) => entry(position))
  let there = all
  const entries = { [Symbol.iterator]: () => there.values() }
  const selection = await selectionOf(zeros, entries, noNextTurn)
  expect(selection.fileCount).toBe(300)
  const whole = { start: 0, end: selection.sizeBytes }
  const sent = await Array.fromAsync(selection.pieces(whole, 1_000))
  expect(sent.reduce((sum, piece) => sum + piece.length, 0)).toBe(selection.sizeBytes)
  there = all.slice(0, 200)
  await expect(Array.fromAsync(selection.pieces(whole, 1_000))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('The parts of a selection are the same bytes, however they are asked for', async () => {
  const selection = await selectionOf(
    zeros,
    Array.from({ length: 300 }, (_, position) => entry(position)),
    noNextTurn,
  )
  const bytesOf = async (start: number, end: number, pieceBytes: number) =>
    Buffer.concat(await Array.fromAsync(selection.pieces({ start, end }, pieceBytes)))
  const whole = await bytesOf(0, selection.sizeBytes, 1_000_000)
  for (const start of [1, 5_000, selection.sizeBytes - 5_000])
    expect(await bytesOf(start, selection.sizeBytes, 100)).toEqual(whole.subarray(start))
})
