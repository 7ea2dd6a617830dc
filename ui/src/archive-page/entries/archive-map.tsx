import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { countOf, formatBytes, formatCount } from '../../base/format.ts'
import { createMediaQuery } from '../../base/media-query.ts'
import { theme } from '../../base/theme.ts'
import styles from './archive-map.module.css'
import { ENTRY_STATUSES, type EntryCounts, STATUS_WORDS } from './entry-status.ts'
import type { EntryTable } from './entry-table.ts'
import { titleOf } from './entry-title.ts'
import { mapColours } from './map-colours.ts'
import { type CellRect, layOutMap } from './map-layout.ts'
import { createMapPainter } from './map-painter.ts'

export interface ArchiveMapProps {
  entries: EntryTable
  count: number
  /** An entry that is pointed at elsewhere. */
  marked: number | null
  onChoose: (position: number) => void
}

/**
 * All entries at once, a cell each, which takes its colour as its entry gets on. For who sees it; to all others it is
 * a picture that is summed up in words, and its entries are the rows of the table.
 */
export function ArchiveMap(props: ArchiveMapProps) {
  let place: HTMLDivElement | undefined
  let canvas: HTMLCanvasElement | undefined
  const [size, setSize] = createSignal({ width: 0, scale: 1 })
  const dark = createMediaQuery('(prefers-color-scheme: dark)')
  const still = createMediaQuery('(prefers-reduced-motion: reduce)')
  const layout = createMemo(() => layOutMap(props.count, size().width, size().scale))
  const [hovered, setHovered] = createSignal<number | null>(null)
  const hoveredEntry = createMemo(() => props.entries.rows()[hovered() ?? -1])
  const ringed = createMemo(() => {
    const position = hovered() ?? props.marked
    return position === null || position >= props.count ? null : layout().rectOf(position)
  })

  onMount(() => {
    if (!place || !canvas) return
    const frame = place
    const painter = createMapPainter(canvas)
    const measure = () => setSize({ width: frame.clientWidth, scale: devicePixelRatio })
    const observer = new ResizeObserver(measure)
    observer.observe(frame)
    measure()
    createEffect(
      on([layout, theme, dark, still], ([layout]) => {
        const look = { layout, colours: mapColours(frame), scale: size().scale, moves: !still() }
        painter.paintAll(look, props.entries.rows())
      }),
    )
    const forget = props.entries.onChange((positions) => painter.paint(props.entries.rows(), positions))
    onCleanup(() => {
      forget()
      observer.disconnect()
      painter.stop()
    })
  })

  function positionAt(event: MouseEvent): number | null {
    const { scale } = size()
    return layout().indexAt(event.offsetX * scale, event.offsetY * scale)
  }

  function choose(event: MouseEvent) {
    const position = positionAt(event)
    if (position !== null) props.onChoose(position)
  }

  return (
    <div ref={place} class={styles.place}>
      <canvas
        ref={canvas}
        class={styles.map}
        style={{ height: `${layout().height / size().scale}px` }}
        role="img"
        aria-label={summary(props.count, props.entries.counts())}
        onPointerMove={(event) => setHovered(positionAt(event))}
        onPointerLeave={() => setHovered(null)}
        onClick={choose}
      />
      <Show when={ringed()}>
        {(rect) => <Ring rect={rect()} scale={size().scale} width={size().width} entry={hoveredEntry()} />}
      </Show>
    </div>
  )
}

/** About a cell, and above it what the cell is, if anything. */
function Ring(props: { rect: CellRect; scale: number; width: number; entry: Entry | undefined }) {
  const css = (devicePixels: number) => `${devicePixels / props.scale}px`
  /** The words are held within the map: they stand to the left of what is at the right. */
  const share = () => (props.rect.x + props.rect.width / 2) / props.scale / Math.max(props.width, 1)
  return (
    <div aria-hidden="true">
      <span
        class={styles.ring}
        style={{
          left: css(props.rect.x),
          top: css(props.rect.y),
          width: css(props.rect.width),
          height: css(props.rect.height),
        }}
      />
      <Show when={props.entry}>
        {(entry) => (
          <p
            class={styles.tip}
            style={{
              left: `${share() * 100}%`,
              top: css(props.rect.y),
              transform: `translate(${-share() * 100}%, calc(-100% - 8px))`,
            }}
          >
            <span class={styles.name}>{titleOf(entry())}</span>
            <span class={styles.state}>{storyOf(entry())}</span>
          </p>
        )}
      </Show>
    </div>
  )
}

function storyOf(entry: Entry): string {
  if (entry.status === 'failed') return entry.error ?? STATUS_WORDS.failed
  const size = entry.size > 0 ? ` · ${formatBytes(entry.size)}` : ''
  return `${STATUS_WORDS[entry.status]}${size}`
}

function summary(count: number, counts: EntryCounts): string {
  const parts = ENTRY_STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${formatCount(counts[status])} ${STATUS_WORDS[status].toLowerCase()}`,
  )
  return `Map of ${countOf(count, 'file')}: ${parts.join(', ')}. Each is a row of the table below.`
}
