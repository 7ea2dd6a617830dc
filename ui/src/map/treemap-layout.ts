import { type CellRect, layOutMap, type MapLayout, type MapPlace } from './map-layout.ts'

/**
 * The map of a finished archive: a cell takes as much of the map as its file takes of the archive. The order stays, and the map
 * is as high as while it was packed, so that nothing below it moves.
 *
 * @param sizesBytes by position; zero for what is not in the archive
 */
export function layOutTreemap(
  sizesBytes: readonly number[],
  width: number,
  scale: number,
  place: MapPlace,
): MapLayout {
  const grid = layOutMap(sizesBytes.length, width, scale, place)
  const height = grid.height + grid.gap
  const deviceWidth = grid.width + grid.gap
  const weights = weightsOf(sizesBytes)
  const strips = stripsOf(weights, deviceWidth, height)
  const rects: CellRect[] = []
  let y = 0
  let weightAbove = 0
  const tops: number[] = []
  const firsts: number[] = []
  for (const { first, end, weight } of strips) {
    tops.push(y)
    firsts.push(first)
    weightAbove += weight
    const bottom = Math.round(weightAbove * height)
    let x = 0
    let weightBefore = 0
    for (let index = first; index < end; index++) {
      weightBefore += weights[index] ?? 0
      const right = Math.round((weightBefore / weight) * deviceWidth)
      rects.push({
        x,
        y,
        width: Math.max(1, right - x - grid.gap),
        height: Math.max(1, bottom - y - grid.gap),
      })
      x = right
    }
    y = bottom
  }
  return {
    width: grid.width,
    height: grid.height,
    gap: grid.gap,
    // Cells of different archives are never in the same places.
    grid: `treemap ${++layouts}`,
    rectOf: (index) => rects[index] ?? { x: 0, y: 0, width: 0, height: 0 },
    indexAt(pointX, pointY) {
      const strip = tops.findLastIndex((top) => top <= pointY)
      if (strip === -1 || pointX < 0 || pointY >= height) return null
      const end = firsts[strip + 1] ?? rects.length
      for (let index = end - 1; index >= (firsts[strip] ?? 0); index--)
        if ((rects[index]?.x ?? 0) <= pointX) return index
      return null
    },
  }
}

let layouts = 0

/** Shares of the map. A part of it is divided evenly, so that small files and those that failed can be seen and hit. */
function weightsOf(sizesBytes: readonly number[]): number[] {
  const total = sizesBytes.reduce((sum, size) => sum + size, 0)
  const even = (total === 0 ? 1 : EVEN_SHARE) / Math.max(1, sizesBytes.length)
  return sizesBytes.map((size) => even + (total === 0 ? 0 : ((1 - EVEN_SHARE) * size) / total))
}

interface Strip {
  readonly first: number
  /** The index after the last one. */
  readonly end: number
  readonly weight: number
}

/**
 * Divides the cells into rows (Bederson, Shneiderman and Wattenberg, "Ordered and quantum treemaps", section 3.3): a row takes the
 * next cell as long as that makes its cells more like squares.
 */
function stripsOf(weights: readonly number[], width: number, height: number): readonly Strip[] {
  const strips: Strip[] = []
  let first = 0
  let weight = 0
  let elongation = Number.POSITIVE_INFINITY
  for (let index = 0; index < weights.length; index++) {
    const added = weight + (weights[index] ?? 0)
    const addedElongation = meanElongation(weights, first, index + 1, added, width, height)
    if (index > first && addedElongation > elongation) {
      strips.push({ first, end: index, weight })
      first = index
      weight = weights[index] ?? 0
      elongation = meanElongation(weights, first, index + 1, weight, width, height)
    } else {
      weight = added
      elongation = addedElongation
    }
  }
  if (first < weights.length) strips.push({ first, end: weights.length, weight })
  return joinLast(strips, weights, width, height)
}

/**
 * The last row takes what is left, so it may be a thin line. It is joined with the one above if that makes their cells more like squares.
 */
function joinLast(
  strips: readonly Strip[],
  weights: readonly number[],
  width: number,
  height: number,
): readonly Strip[] {
  const [above, last] = strips.slice(-2)
  if (above === undefined || last === undefined) return strips
  const elongationOf = ({ first, end, weight }: Strip) =>
    meanElongation(weights, first, end, weight, width, height)
  const joined = { first: above.first, end: last.end, weight: above.weight + last.weight }
  const countOf = ({ first, end }: Strip) => end - first
  const before = elongationOf(above) * countOf(above) + elongationOf(last) * countOf(last)
  return elongationOf(joined) * countOf(joined) < before ? [...strips.slice(0, -2), joined] : strips
}

/** The longer by the shorter side, as the mean of the cells of a row. */
function meanElongation(
  weights: readonly number[],
  first: number,
  end: number,
  weight: number,
  width: number,
  height: number,
): number {
  const rowHeight = weight * height
  let sum = 0
  for (let index = first; index < end; index++) {
    const cellWidth = ((weights[index] ?? 0) / weight) * width
    sum += Math.max(cellWidth / rowHeight, rowHeight / cellWidth)
  }
  return sum / (end - first)
}

/** With 5,000 files in a map of 800 by 240 pixels, the smallest cell has some 3 by 3. */
const EVEN_SHARE = 0.3
