import { createMemo } from 'solid-js'
import styles from './speed-chart.module.css'
import { SPEED_WINDOW_MS } from './speed-history.ts'
import type { SpeedSample } from './time-left.ts'

/** A line chart of the speed over the last minute, hidden from screen readers: the current speed is shown as text. */
export function SpeedChart(props: { samples: readonly SpeedSample[] }) {
  const line = createMemo(() => pathOf(props.samples))
  const area = () => (line() === '' ? '' : `${line()}V${HEIGHT}H${startOf(props.samples)}Z`)
  return (
    <svg
      class={styles.chart}
      data-empty={line() === '' ? '' : undefined}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class={styles.area} d={area()} />
      <path class={styles.line} d={line()} />
    </svg>
  )
}

function pathOf(samples: readonly SpeedSample[]): string {
  const last = samples.at(-1)
  if (last === undefined || samples.length < 2) return ''
  const maxSpeed = Math.max(...samples.map(({ bytesPerSecond }) => bytesPerSecond), 1)
  const points = samples.map(({ atMs, bytesPerSecond }) => {
    const y = HEIGHT - MARGIN - (bytesPerSecond / maxSpeed) * (HEIGHT - 2 * MARGIN)
    return `${xOf(atMs, last.atMs)} ${y.toFixed(1)}`
  })
  return `M${points.join('L')}`
}

function startOf(samples: readonly SpeedSample[]): string {
  const [first, last] = [samples[0], samples.at(-1)]
  return first && last ? xOf(first.atMs, last.atMs) : '0'
}

function xOf(atMs: number, lastMs: number): string {
  return (WIDTH * (1 - (lastMs - atMs) / SPEED_WINDOW_MS)).toFixed(1)
}

/** The size of the viewBox. The drawing is stretched to the available width. */
const WIDTH = 600
const HEIGHT = 48
/** Keeps the stroke inside the viewBox at the top and the bottom. */
const MARGIN = 2
