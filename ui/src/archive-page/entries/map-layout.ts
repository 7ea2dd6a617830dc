/** A rectangle in device pixels. */
export interface CellRect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where the cells of a map lie: rows of equal cells that fill the width, in whole device pixels. */
export interface MapLayout {
  readonly width: number
  readonly height: number
  /** Space between cells. */
  readonly gap: number
  rectOf(index: number): CellRect
  /** The cell at a point, gaps belonging to the cell before them; null beside all of them. */
  indexAt(x: number, y: number): number | null
}

/** What a map may take of a page, in CSS pixels: beyond it cells become smaller, down to the least. */
const AIMED_HEIGHT = 240
const GREATEST_CELL = 32
const LEAST_CELL = 4

/** @param width of the map, in CSS pixels @param scale device pixels to a CSS pixel */
export function layOutMap(count: number, width: number, scale: number): MapLayout {
  const fitting = Math.sqrt((width * AIMED_HEIGHT) / Math.max(count, 1))
  const size = Math.min(Math.max(fitting, LEAST_CELL), GREATEST_CELL)
  const rows = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / size))))
  // Even rows: forty cells stand as two times twenty, not as thirty-three and seven.
  const columns = Math.max(1, Math.ceil(count / rows))
  const pitch = Math.round(size * scale)
  const gap = Math.max(1, Math.round((size >= 14 ? 3 : size >= 8 ? 2 : 1) * scale))
  const deviceWidth = Math.round(width * scale)
  const left = (column: number) => Math.round((column * (deviceWidth + gap)) / columns)
  return {
    width: deviceWidth,
    height: rows * pitch - gap,
    gap,
    rectOf(index) {
      const column = index % columns
      const x = left(column)
      return {
        x,
        y: Math.floor(index / columns) * pitch,
        width: left(column + 1) - gap - x,
        height: pitch - gap,
      }
    },
    indexAt(x, y) {
      const column = Math.floor((x * columns) / (deviceWidth + gap))
      const index = Math.floor(y / pitch) * columns + column
      return x < 0 || y < 0 || column >= columns || index >= count ? null : index
    },
  }
}
