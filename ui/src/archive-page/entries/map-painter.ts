import type { Entry } from '../../api/types.ts'
import type { MapColours } from './map-colours.ts'
import type { CellRect, MapLayout } from './map-layout.ts'

/** What a map is painted with; it may change from one painting to the next. */
export interface MapLook {
  readonly layout: MapLayout
  readonly colours: MapColours
  readonly scale: number
  /** Whether a cell may shine when its entry has been stored. */
  readonly moves: boolean
}

export interface MapPainter {
  /** Paints every cell anew. */
  paintAll(look: MapLook, rows: readonly Entry[]): void
  /** Paints the cells that changed, and no others. */
  paint(rows: readonly Entry[], positions: ReadonlySet<number>): void
  stop(): void
}

/** How long a cell shines when its entry has been stored. */
const SHINE_MS = 600
/**
 * How many bytes will come is not known, so that a cell fills by orders of magnitude: each doubling from the least
 * adds as much, and a gigabyte makes it all but full.
 */
const LEAST_BYTES = 64 * 1024
const DOUBLINGS = 14
/** Cells of that height in CSS pixels have round corners, and a cross when their entry failed. */
const DETAILED_CELL = 12
const CORNER = 3

export function createMapPainter(canvas: HTMLCanvasElement): MapPainter {
  const context = canvas.getContext('2d')
  let look: MapLook | null = null
  let rows: readonly Entry[] = []
  /** When the entries that were stored lately were seen to be. */
  const shining = new Map<number, number>()
  const stored = new Set<number>()
  let frame = 0

  function paintCell(context: CanvasRenderingContext2D, look: MapLook, entry: Entry, now: number): void {
    const rect = look.layout.rectOf(entry.position)
    const isDetailed = rect.height >= DETAILED_CELL * look.scale
    const corner = isDetailed ? CORNER * look.scale : 0
    // Round corners leave what is behind them; all else is painted over.
    if (isDetailed) context.clearRect(rect.x, rect.y, rect.width, rect.height)
    context.fillStyle = look.colours[entry.status]
    fill(context, rect, corner)
    if (entry.status === 'fetching') {
      context.fillStyle = look.colours.received
      fill(context, filledPart(rect, entry.size), corner)
    }
    if (entry.status === 'failed' && isDetailed) cross(context, rect, look)
    const shone = now - (shining.get(entry.position) ?? Number.NEGATIVE_INFINITY)
    if (shone < SHINE_MS) {
      context.globalAlpha = 1 - shone / SHINE_MS
      context.fillStyle = look.colours.fresh
      fill(context, rect, corner)
      context.globalAlpha = 1
    }
  }

  function shine(now: number): void {
    frame = 0
    for (const [position, since] of shining) {
      const entry = rows[position]
      if (now - since >= SHINE_MS) shining.delete(position)
      if (context && look && entry) paintCell(context, look, entry, now)
    }
    if (shining.size > 0) frame = requestAnimationFrame(shine)
  }

  return {
    paintAll(newLook, newRows) {
      look = newLook
      rows = newRows
      canvas.width = look.layout.width
      canvas.height = look.layout.height
      stored.clear()
      const now = performance.now()
      for (const entry of rows) {
        if (entry.status === 'stored') stored.add(entry.position)
        if (context) paintCell(context, look, entry, now)
      }
    },
    paint(newRows, positions) {
      rows = newRows
      const now = performance.now()
      for (const position of positions) {
        const entry = rows[position]
        if (!context || !look || !entry) continue
        const wasStored = stored.has(position)
        if (entry.status === 'stored') stored.add(position)
        else stored.delete(position)
        if (entry.status === 'stored' && !wasStored && look.moves) shining.set(position, now)
        paintCell(context, look, entry, now)
      }
      if (shining.size > 0 && frame === 0) frame = requestAnimationFrame(shine)
    },
    stop: () => cancelAnimationFrame(frame),
  }
}

/** From the foot up. Something shows as soon as anything has come, and something lacks until all has. */
function filledPart(rect: CellRect, bytes: number): CellRect {
  const share = 0.08 + 0.84 * Math.min(1, Math.log2(1 + bytes / LEAST_BYTES) / DOUBLINGS)
  const height = Math.max(1, Math.round(rect.height * share))
  return { ...rect, y: rect.y + rect.height - height, height }
}

function fill(context: CanvasRenderingContext2D, rect: CellRect, corner: number): void {
  if (corner === 0) {
    context.fillRect(rect.x, rect.y, rect.width, rect.height)
    return
  }
  context.beginPath()
  context.roundRect(rect.x, rect.y, rect.width, rect.height, Math.min(corner, rect.height / 2))
  context.fill()
}

/** So that failure is told by more than a colour. */
function cross(context: CanvasRenderingContext2D, rect: CellRect, { colours, scale }: MapLook): void {
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
