import { kindOfFile } from '../base/file-kind.ts'
import { statusOf } from './entry-status.ts'
import type { MapEntry } from './entry-table.ts'
import type { MapColours } from './map-colours.ts'
import type { CellRect, MapLayout } from './map-layout.ts'

/** How to paint the map. Resizing the page or switching the theme changes it. */
export interface MapStyle {
  readonly layout: MapLayout
  readonly colours: MapColours
  readonly scale: number
  /** Whether a cell flashes when its entry has been stored. */
  readonly animates: boolean
  /** Whether stored files have the colours of their kinds. */
  readonly showsKinds: boolean
}

export interface MapPainter {
  /** Paints all cells. Many appear over several frames, so that none of them blocks the page. */
  paintAll(style: MapStyle, rows: readonly MapEntry[]): void
  /** Paints only the cells that changed. Those that have just been stored flash, if that is news. */
  paint(rows: readonly MapEntry[], positions: ReadonlySet<number>, news: ReadonlySet<number>): void
  stop(): void
}

export function createMapPainter(canvas: HTMLCanvasElement): MapPainter {
  const context = canvas.getContext('2d')
  let style: MapStyle | null = null
  let rows: readonly MapEntry[] = []
  /** Maps the position of each flashing cell to the time when its flash began. */
  const flashStarts = new Map<number, number>()
  const stored = new Set<number>()
  let flashFrame = 0
  let paintFrame = 0

  function paintCell(context: CanvasRenderingContext2D, style: MapStyle, entry: MapEntry, now: number): void {
    const rect = style.layout.rectOf(entry.position)
    const isDetailed = Math.min(rect.width, rect.height) >= DETAILED_CELL_PX * style.scale
    const radius = isDetailed ? CORNER_RADIUS_PX * style.scale : 0
    // Round corners don't cover the whole cell, so clear what was painted there before.
    if (isDetailed) context.clearRect(rect.x, rect.y, rect.width, rect.height)
    const { colours } = style
    const status = statusOf(entry)
    const showsKind = status === 'waiting' || (status === 'stored' && style.showsKinds)
    context.fillStyle = showsKind
      ? colours.kinds[kindOfFile(entry.name, entry.url)]
      : colours[status as Exclude<typeof status, 'waiting'>]
    fill(context, rect, radius)
    if (entry.isDuplicate) hollow(context, rect, style)
    if (entry.status === 'fetching') {
      context.fillStyle = colours.received
      fill(context, filledPart(rect, entry), radius)
    }
    if (status === 'failed' && isDetailed) cross(context, rect, style)
    if (status === 'check' && isDetailed) exclamation(context, rect, style)
    const flashAgeMs = now - (flashStarts.get(entry.position) ?? Number.NEGATIVE_INFINITY)
    if (flashAgeMs < FLASH_MS) {
      context.globalAlpha = 1 - flashAgeMs / FLASH_MS
      context.fillStyle = colours.flash
      fill(context, rect, radius)
      context.globalAlpha = 1
    }
  }

  /** Paints the cells from a position on. */
  function paintFrom(start: number): void {
    const end = Math.min(start + CELLS_PER_FRAME, rows.length)
    const now = performance.now()
    for (const entry of rows.slice(start, end)) if (context && style) paintCell(context, style, entry, now)
    paintFrame = end < rows.length ? requestAnimationFrame(() => paintFrom(end)) : 0
  }

  function animateFlashes(now: number): void {
    flashFrame = 0
    for (const [position, startedAt] of flashStarts) {
      const entry = rows[position]
      if (now - startedAt >= FLASH_MS) flashStarts.delete(position)
      if (context && style && entry) paintCell(context, style, entry, now)
    }
    if (flashStarts.size > 0) flashFrame = requestAnimationFrame(animateFlashes)
  }

  return {
    paintAll(newStyle, newRows) {
      cancelAnimationFrame(paintFrame)
      // What is painted stays until it is painted over. A change of one file would otherwise empty the map for some frames.
      if (context && style?.layout.grid === newStyle.layout.grid) {
        clearFrom(context, newStyle.layout, newRows.length)
      } else {
        canvas.width = newStyle.layout.width
        canvas.height = newStyle.layout.height
      }
      style = newStyle
      rows = newRows
      stored.clear()
      for (const { status, position } of rows) if (status === 'stored') stored.add(position)
      // Before the next frame is shown, in a task of its own: drawing the list beside the map takes about as long as painting it.
      paintFrame = requestAnimationFrame(() => paintFrom(0))
    },
    paint(newRows, positions, news) {
      rows = newRows
      const now = performance.now()
      for (const position of positions) {
        const entry = rows[position]
        if (!context || !style || !entry) continue
        const wasStored = stored.has(position)
        if (entry.status === 'stored') stored.add(position)
        else stored.delete(position)
        if (entry.status === 'stored' && !wasStored && news.has(position) && style.animates)
          flashStarts.set(position, now)
        paintCell(context, style, entry, now)
      }
      if (flashStarts.size > 0 && flashFrame === 0) flashFrame = requestAnimationFrame(animateFlashes)
    },
    stop() {
      cancelAnimationFrame(flashFrame)
      cancelAnimationFrame(paintFrame)
    },
  }
}

/** Clears the cells from an index on. */
function clearFrom(context: CanvasRenderingContext2D, layout: MapLayout, index: number): void {
  const { x, y, height } = layout.rectOf(index)
  context.clearRect(x, y, layout.width - x, height)
  context.clearRect(0, y + height, layout.width, layout.height)
}

/** The part of a fetching cell to fill, from the bottom up. It is never quite empty and never quite full. */
function filledPart(rect: CellRect, { size, expected_size }: MapEntry): CellRect {
  const arrived =
    expected_size === null || expected_size === 0
      ? Math.log2(1 + size / MIN_BYTES) / DOUBLINGS
      : size / expected_size
  const fraction = 0.08 + 0.84 * Math.min(1, arrived)
  const height = Math.max(1, Math.round(rect.height * fraction))
  return { ...rect, y: rect.y + rect.height - height, height }
}

function fill(context: CanvasRenderingContext2D, rect: CellRect, radius: number): void {
  if (radius === 0) {
    context.fillRect(rect.x, rect.y, rect.width, rect.height)
    return
  }
  context.beginPath()
  context.roundRect(rect.x, rect.y, rect.width, rect.height, Math.min(radius, rect.height / 2))
  context.fill()
}

/** Leaves only the frame of a cell, since the file of a duplicate is in the archive already. */
function hollow(context: CanvasRenderingContext2D, rect: CellRect, { colours, scale }: MapStyle): void {
  const frame = Math.max(1, Math.round(Math.min(2 * scale, rect.height / 4)))
  context.fillStyle = colours.mark
  context.fillRect(rect.x + frame, rect.y + frame, rect.width - 2 * frame, rect.height - 2 * frame)
}

/** Shows failure by shape as well as by colour. */
function cross(context: CanvasRenderingContext2D, rect: CellRect, { colours, scale }: MapStyle): void {
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2]
  const arm = Math.min(rect.width, rect.height) / 5
  context.strokeStyle = colours.mark
  context.lineWidth = 1.75 * scale
  context.lineCap = 'round'
  context.beginPath()
  context.moveTo(x - arm, y - arm)
  context.lineTo(x + arm, y + arm)
  context.moveTo(x + arm, y - arm)
  context.lineTo(x - arm, y + arm)
  context.stroke()
}

/** Shows a warning by shape as well as by colour. */
function exclamation(context: CanvasRenderingContext2D, rect: CellRect, { colours, scale }: MapStyle): void {
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2]
  const arm = Math.min(rect.width, rect.height) / 4
  context.strokeStyle = colours.mark
  context.lineWidth = 2.25 * scale
  context.lineCap = 'round'
  context.beginPath()
  context.moveTo(x, y - arm)
  context.lineTo(x, y + arm / 4)
  // A round end without a line draws the dot.
  context.moveTo(x, y + arm)
  context.lineTo(x, y + arm + 0.01)
  context.stroke()
}

/** Painted in some 15 ms. */
const CELLS_PER_FRAME = 5_000
/** How long a cell flashes when its entry has been stored. */
const FLASH_MS = 600
/**
 * An entry of unknown size fills its cell on a logarithmic scale: every doubling from 64 KiB on adds
 * the same amount, and at 1 GiB the cell is nearly full.
 */
const MIN_BYTES = 64 * 1024
const DOUBLINGS = 14
/** Cells of at least this height in CSS pixels have round corners, and a cross if their entry failed. */
const DETAILED_CELL_PX = 12
const CORNER_RADIUS_PX = 3
