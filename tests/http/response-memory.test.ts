import { expect, test } from 'bun:test'
import { openResponseMemory } from '../../server/http/body/response-memory.ts'

const KIB = 1024

test.each([
  [0, 256 * KIB],
  [32, 256 * KIB],
  [64, 128 * KIB],
  [1_024, 8 * KIB],
  [16_384, 8 * KIB],
])('With %d open responses, a part has %d bytes', (open, bytes) => {
  expect(openResponseMemory({ allocated() {} }, () => open).partBytes()).toBe(bytes)
})

test('What hundreds of downloads leave behind is collected sooner than what a few do', () => {
  let open = 1
  let counted = 0
  const count = (bytes: number) => {
    counted += bytes
  }
  const memory = openResponseMemory({ allocated: count }, () => open)
  memory.read(8_000)
  expect(counted).toBe(1_000)
  open = 100
  memory.read(8_000)
  expect(counted).toBe(5_000)
})
