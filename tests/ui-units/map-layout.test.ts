import { describe, expect, test } from 'bun:test'
import { layOutMap, type MapPlace } from '../../ui/src/map/map-layout.ts'

const COUNTS = [1, 2, 3, 7, 36, 40, 301, 1_000, 5_000, 10_000]
const SIZES = [
  { width: 296, scale: 3 },
  { width: 800, scale: 1 },
  { width: 801, scale: 1.25 },
  { width: 800, scale: 2 },
]

const PLACES: readonly MapPlace[] = ['above', 'beside']

describe('The layout of a map', () => {
  test.each(SIZES.flatMap((size) => PLACES.map((place) => ({ ...size, place }))))(
    'gives every entry its own cell, for any number of entries ($width px at scale $scale, $place the list)',
    ({ width, scale, place }) => {
      for (const count of COUNTS) {
        const layout = layOutMap(count, width, scale, place)
        const corners = new Set<string>()
        for (let index = 0; index < count; index++) {
          const { x, y, width: cellWidth, height } = layout.rectOf(index)
          expect([x, y, cellWidth, height].every(Number.isInteger)).toBe(true)
          expect(cellWidth).toBeGreaterThan(0)
          expect(height).toBeGreaterThan(0)
          expect(x + cellWidth).toBeLessThanOrEqual(layout.width)
          expect(y + height).toBeLessThanOrEqual(layout.height)
          expect(layout.indexAt(x + cellWidth / 2, y + height / 2)).toBe(index)
          corners.add(`${x} ${y}`)
        }
        expect(corners.size).toBe(count)
      }
    },
  )

  test('fills the width even with few entries', () => {
    for (const count of COUNTS.slice(0, 4)) {
      const layout = layOutMap(count, 800, 1, 'above')
      const last = layout.rectOf(count - 1)
      expect(last.y).toBe(0)
      expect(last.x + last.width).toBe(800)
    }
  })

  test('balances the rows', () => {
    const layout = layOutMap(40, 800, 1, 'above')
    expect(layout.rectOf(20)).toMatchObject({ x: 0, y: layout.rectOf(0).height + layout.gap })
    expect(layout.rectOf(39).x + layout.rectOf(39).width).toBe(800)
  })

  test('has no cell at points outside the map or after the last entry', () => {
    const layout = layOutMap(39, 800, 1, 'above')
    expect(layout.indexAt(-1, 5)).toBeNull()
    expect(layout.indexAt(5, -1)).toBeNull()
    expect(layout.indexAt(799, layout.height - 1)).toBeNull()
    expect(layout.indexAt(5, layout.height + 50)).toBeNull()
    expect(layout.indexAt(805, 5)).toBeNull()
  })

  test('has a limited height, even for 10,000 entries on a phone', () => {
    expect(layOutMap(10_000, 800, 1, 'above').height).toBeLessThan(400)
    expect(layOutMap(5_000, 296, 1, 'above').height).toBeLessThan(400)
    expect(layOutMap(10_000, 296, 1, 'above').height).toBeLessThan(700)
  })

  test('has larger cells beside the list than above it', () => {
    const heightIn = (place: MapPlace) => layOutMap(40, 500, 1, place).rectOf(0).height
    expect(heightIn('beside')).toBeGreaterThan(heightIn('above'))
    expect(layOutMap(5_000, 500, 1, 'beside').height).toBeLessThan(600)
  })
})
