import { expect, test } from 'bun:test'
import { BodyMemory } from '../../server/engine/body-memory.ts'
import { GatheredBytes } from '../../server/engine/gathered-bytes.ts'

test('pieces of any size come out as one body, and the next body begins empty', () => {
  const gathered = new GatheredBytes(new BodyMemory(() => 1))
  const body = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) & 0xff)
  for (let at = 0, sizeBytes = 1; at < body.length; at += sizeBytes, sizeBytes = (sizeBytes * 3) % 1_009)
    gathered.append(body.slice(at, at + sizeBytes))
  expect(Buffer.compare(gathered.take(), body)).toBe(0)
  expect(gathered.take().length).toBe(0)
  gathered.append(Uint8Array.of(1, 2))
  expect(gathered.take()).toEqual(Uint8Array.of(1, 2))
})

test('a body of one piece is not copied', () => {
  const gathered = new GatheredBytes(new BodyMemory(() => 1))
  const piece = Uint8Array.of(1, 2, 3)
  gathered.append(piece)
  expect(gathered.take().buffer).toBe(piece.buffer)
})
