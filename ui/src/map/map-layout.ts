/** A rectangle in device pixels. */
export interface CellRect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where every cell is: rows of equal cells that fill the width, in whole device pixels. */
export interface MapLayout {
  readonly width: number
  readonly height: number
  /** Space between cells. */
  readonly gap: number
  /** Layouts with the same grid have their cells in the same places. */
  readonly grid: string
  rectOf(index: number): CellRect
  /** Returns the cell at a point; null outside all cells. A gap counts as part of the cell before it. */
  indexAt(x: number, y: number): number | null
}

/** Where the map is: above the list of the same files, or beside it. */
export type MapPlace = 'above' | 'beside'

/**
 * @param width the width of the map in CSS pixels
 * @param scale device pixels per CSS pixel
 */
export function layOutMap(count: number, width: number, scale: number, place: MapPlace): MapLayout {
  const targetHeight = Math.min(TARGET_HEIGHT_PX[place], width * TARGET_ASPECT[place])
  const fittingSize = Math.sqrt((width * targetHeight) / Math.max(count, 1))
  const size = Math.min(Math.max(fittingSize, MIN_CELL_PX), MAX_CELL_PX[place])
  const rows = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / size))))
  // Balances the rows: 40 cells become two rows of 20, not one of 33 and one of 7.
  const columns = Math.max(1, Math.ceil(count / rows))
  const pitch = Math.round(size * scale)
  const gap = Math.max(1, Math.round((size >= 14 ? 3 : size >= 8 ? 2 : 1) * scale))
  const deviceWidth = Math.round(width * scale)
  const columnStart = (column: number) => Math.round((column * (deviceWidth + gap)) / columns)
  return {
    width: deviceWidth,
    height: rows * pitch - gap,
    gap,
    grid: [deviceWidth, columns, rows, pitch, gap].join(),
    rectOf(index) {
      const column = index % columns
      const x = columnStart(column)
      return {
        x,
        y: Math.floor(index / columns) * pitch,
        width: columnStart(column + 1) - gap - x,
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

/**
 * All in CSS pixels. Cells shrink to keep the map within the target height, but not below the minimum size. A map above the
 * list leaves room for it; on a phone, its target height is a part of the width.
 */
const TARGET_HEIGHT_PX = { above: 240, beside: 480 }
const TARGET_ASPECT = { above: 0.6, beside: 1 }
const MAX_CELL_PX = { above: 32, beside: 64 }
const MIN_CELL_PX = 4
