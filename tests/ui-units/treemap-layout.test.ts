import { describe, expect, test } from 'bun:test'
import { layOutMap } from '../../ui/src/map/map-layout.ts'
import { layOutTreemap } from '../../ui/src/map/treemap-layout.ts'

const lists: Readonly<Record<string, readonly number[]>> = {
  'one file': [5],
  'one large file beside small ones': [300_000_000, ...Array.from({ length: 24 }, () => 1_000)],
  'files of the same size': Array.from({ length: 40 }, () => 7),
  'no sizes': [0, 0, 0],
  'many files': Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 1_000_000),
}

describe('The map of a finished archive', () => {
  test.each(Object.entries(lists))('gives each file a cell within the map, in order: %s', (_, sizes) => {
    for (const [width, scale] of [
      [296, 3],
      [800, 1],
      [801, 1.25],
    ] as const) {
      const layout = layOutTreemap(sizes, width, scale, 'above')
      sizes.forEach((_, index) => {
        const cell = layout.rectOf(index)
        expect([cell.x, cell.y, cell.width, cell.height].every(Number.isInteger)).toBe(true)
        expect(Math.min(cell.width, cell.height)).toBeGreaterThan(0)
        expect(cell.x + cell.width).toBeLessThanOrEqual(layout.width + layout.gap)
        expect(cell.y + cell.height).toBeLessThanOrEqual(layout.height + layout.gap)
        const before = layout.rectOf(index - 1)
        if (index > 0) expect(cell.y > before.y || cell.x >= before.x).toBe(true)
      })
    }
  })

  test('finds the cell at a point, and none outside', () => {
    const sizes = lists['one large file beside small ones'] ?? []
    const layout = layOutTreemap(sizes, 800, 1, 'above')
    sizes.forEach((_, index) => {
      const { x, y, width, height } = layout.rectOf(index)
      expect(layout.indexAt(x + width / 2, y + height / 2)).toBe(index)
    })
    expect(layout.indexAt(-1, 0)).toBeNull()
    expect(layout.indexAt(10, layout.height + 10)).toBeNull()
  })

  test('gives a large file much of the map, and a small or a failed one enough to be seen', () => {
    const layout = layOutTreemap(
      [90_000, 1_000, 0, ...Array.from({ length: 97 }, () => 100)],
      800,
      1,
      'above',
    )
    const area = (index: number) => layout.rectOf(index).width * layout.rectOf(index).height
    expect(area(0)).toBeGreaterThan(0.4 * layout.width * layout.height)
    expect(area(2)).toBeGreaterThan(50)
  })

  test('makes no thin line of the last files, such as those that failed', () => {
    const sizes = [...Array.from({ length: 12 }, (_, index) => 1_000 + index * 8_000), 0, 0, 0]
    const layout = layOutTreemap(sizes, 512, 1, 'beside')
    for (const index of [12, 13, 14]) {
      const { width, height } = layout.rectOf(index)
      expect(Math.max(width, height)).toBeLessThan(10 * Math.min(width, height))
    }
  })

  test('is as high as the map while it was packed, so that nothing below it moves', () => {
    for (const sizes of Object.values(lists))
      for (const place of ['above', 'beside'] as const)
        expect(layOutTreemap(sizes, 800, 1, place).height).toBe(layOutMap(sizes.length, 800, 1, place).height)
  })
})
