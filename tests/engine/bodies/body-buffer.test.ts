import { expect, test } from 'bun:test'
import { BodyBuffer } from '../../../server/engine/bodies/body-buffer.ts'
import { MemoryBudget } from '../../../server/engine/limits/memory.ts'

test('pieces of any size become one body, and the buffer is empty for the next body', () => {
  const buffer = new BodyBuffer(new MemoryBudget(() => 1))
  const body = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) & 0xff)
  for (let at = 0, sizeBytes = 1; at < body.length; at += sizeBytes, sizeBytes = (sizeBytes * 3) % 1_009)
    buffer.append(body.slice(at, at + sizeBytes))
  expect(Buffer.compare(buffer.take(), body)).toBe(0)
  expect(buffer.take().length).toBe(0)
  buffer.append(Uint8Array.of(1, 2))
  expect(buffer.take()).toEqual(Uint8Array.of(1, 2))
})

test('a body of one piece is not copied', () => {
  const buffer = new BodyBuffer(new MemoryBudget(() => 1))
  const piece = Uint8Array.of(1, 2, 3)
  buffer.append(piece)
  expect(buffer.take().buffer).toBe(piece.buffer)
})

test('a buffer that was taken or emptied holds none of the memory for unfinished bodies', () => {
  const memory = new MemoryBudget(() => 1)
  const wholeBytes = 16 * 1024 * 1024
  expect(memory.hasRoomFor(wholeBytes)).toBe(true)
  expect(memory.hasRoomFor(wholeBytes + 1)).toBe(false)
  const buffer = new BodyBuffer(memory)
  for (const pieces of [[100_000], [65_536, 34_464], [1, 2, 3], [70_000, 70_000, 70_000]]) {
    for (const sizeBytes of pieces) buffer.append(new Uint8Array(sizeBytes))
    expect(memory.hasRoomFor(wholeBytes)).toBe(false)
    buffer.take()
    expect(memory.hasRoomFor(wholeBytes)).toBe(true)
  }
})
