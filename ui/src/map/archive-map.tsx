import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show } from 'solid-js'
import { kindOfFile } from '../base/file-kind.ts'
import { formatBytes, formatCount } from '../base/format.ts'
import { createMediaQuery } from '../base/media-query.ts'
import type { Message } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { theme } from '../base/theme.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { entriesCopy } from '../language/english/entries.ts'
import styles from './archive-map.module.css'
import { type EntryCounts, SHOWN_STATUSES, STATUS_LABELS, statusOf } from './entry-status.ts'
import type { EntryRows, MapEntry } from './entry-table.ts'
import { entryTitle } from './entry-title.ts'
import { errorMessage } from './error-text.ts'
import { resolveMapColours } from './map-colours.ts'
import { type CellRect, layOutMap, type MapPlace } from './map-layout.ts'
import { createMapPainter } from './map-painter.ts'
import { layOutTreemap } from './treemap-layout.ts'
import { warningText } from './warning-text.ts'

export interface ArchiveMapProps {
  entries: EntryRows
  count: number
  place: MapPlace
  /** The archive is finished: cells have the colours of their kinds, and the sizes of their files. */
  isReady: boolean
  /** The position of an entry that is hovered or focused in the list. */
  highlighted: number | null
  onSelect: (position: number) => void
}

/**
 * A map of all entries: one cell per entry, in the colour of its status. Screen readers get it as an image with a
 * summary, because a list shows the same entries.
 */
export function ArchiveMap(props: ArchiveMapProps) {
  let root: HTMLDivElement | undefined
  let canvas: HTMLCanvasElement | undefined
  const [size, setSize] = createSignal({ width: 0, scale: 1 })
  const dark = createMediaQuery('(prefers-color-scheme: dark)')
  const reducedMotion = createMediaQuery('(prefers-reduced-motion: reduce)')
  const layout = createMemo(() => {
    const { width, scale } = size()
    // Without a width, all files would be below each other, and what is beside the map as high as that.
    if (width === 0) return layOutMap(0, width, scale, props.place)
    if (!props.isReady) return layOutMap(props.count, width, scale, props.place)
    const rows = props.entries.rows()
    const sizes = Array.from({ length: props.count }, (_, position) => storedBytes(rows[position]))
    return layOutTreemap(sizes, width, scale, props.place)
  })
  const [hovered, setHovered] = createSignal<number | null>(null)
  const hoveredEntry = createMemo(() => props.entries.rows()[hovered() ?? -1])
  const outlinedCell = createMemo(() => {
    const position = hovered() ?? props.highlighted
    return position === null || position >= props.count ? null : layout().rectOf(position)
  })

  onMount(() => {
    if (!root || !canvas) return
    const container = root
    const painter = createMapPainter(canvas)
    const measure = () => {
      // It has no width while it is out of the document.
      if (container.clientWidth > 0) setSize({ width: container.clientWidth, scale: devicePixelRatio })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(container)
    measure()
    const entries = () => props.entries
    createEffect(
      on([layout, theme, dark, reducedMotion, entries], ([layout, , , , entries]) => {
        const style = {
          layout,
          colours: resolveMapColours(container),
          scale: size().scale,
          animates: !reducedMotion(),
          showsKinds: props.isReady,
        }
        painter.paintAll(style, entries.rows())
      }),
    )
    createEffect(
      on(entries, (entries) =>
        onCleanup(entries.onChange((positions, news) => painter.paint(entries.rows(), positions, news))),
      ),
    )
    onCleanup(() => {
      observer.disconnect()
      painter.stop()
    })
  })

  function positionAt(event: MouseEvent): number | null {
    const { scale } = size()
    return layout().indexAt(event.offsetX * scale, event.offsetY * scale)
  }

  function select(event: MouseEvent) {
    const position = positionAt(event)
    if (position !== null) props.onSelect(position)
  }

  return (
    <div ref={root} class={styles.container}>
      <canvas
        ref={canvas}
        class={styles.map}
        style={{ height: `${layout().height / size().scale}px` }}
        role="img"
        aria-label={summarize(props.count, props.entries.counts())}
        onPointerMove={(event) => setHovered(positionAt(event))}
        onPointerLeave={() => setHovered(null)}
        onClick={select}
      />
      <Show when={outlinedCell()}>
        {(rect) => (
          <CellOutline rect={rect()} scale={size().scale} width={size().width} entry={hoveredEntry()} />
        )}
      </Show>
    </div>
  )
}

/** An outline around a cell, with a tooltip if the cell is hovered. */
function CellOutline(props: { rect: CellRect; scale: number; width: number; entry: MapEntry | undefined }) {
  const css = (devicePixels: number) => `${devicePixels / props.scale}px`
  /** How far to the right it is, from 0 to 1. Shifting the tooltip left by this fraction keeps it inside the map. */
  const fraction = () => (props.rect.x + props.rect.width / 2) / props.scale / Math.max(props.width, 1)
  return (
    <div aria-hidden="true">
      <span
        class={styles.outline}
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
            class={styles.tooltip}
            style={{
              left: `${fraction() * 100}%`,
              top: css(props.rect.y),
              transform: `translate(${-fraction() * 100}%, calc(-100% - 8px))`,
            }}
          >
            <span class={styles.name}>{entryTitle(entry())}</span>
            <span class={styles.state}>
              <MessageText message={describe(entry())} />
            </span>
          </p>
        )}
      </Show>
    </div>
  )
}

function storedBytes(entry: MapEntry | undefined): number {
  return entry?.status === 'stored' ? entry.size : 0
}

function describe(entry: MapEntry): Message {
  if (entry.status === 'waiting')
    return `${controlsCopy.kinds[kindOfFile(entry.name, entry.url)]} · ${entry.isDuplicate ? entriesCopy.duplicate : STATUS_LABELS.waiting}`
  if (entry.status === 'failed')
    return entry.error === null ? STATUS_LABELS.failed : errorMessage(entry.error)
  if (statusOf(entry) === 'check' && entry.warning !== null) return warningText(entry.warning)
  const size = entry.size > 0 ? ` · ${formatBytes(entry.size)}` : ''
  if (entry.status === 'stored') return `${controlsCopy.kinds[kindOfFile(entry.name, entry.url)]}${size}`
  return `${STATUS_LABELS[entry.status]}${size}`
}

function summarize(count: number, counts: EntryCounts): string {
  const parts = SHOWN_STATUSES.filter((status) => counts[status] > 0).map((status) =>
    entriesCopy.counts[status](formatCount(counts[status])),
  )
  return entriesCopy.map(count, parts.join(', '))
}
