import { createMemo } from 'solid-js'
import styles from './speed-line.module.css'
import { SPEED_WINDOW_MS } from './speed-log.ts'
import type { SpeedSample } from './time-left.ts'

/** The line is drawn in a field of this size and stretched to the width that there is. */
const WIDTH = 600
const HEIGHT = 48
/** Room for the width of the stroke at the top and at the foot. */
const MARGIN = 2

/** The speed of the last minute, the newest at the end. The figure stands beside it. */
export function SpeedLine(props: { samples: readonly SpeedSample[] }) {
  const line = createMemo(() => pathOf(props.samples))
  const area = () => (line() === '' ? '' : `${line()}V${HEIGHT}H${startOf(props.samples)}Z`)
  return (
    <svg
      class={styles.field}
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
  const top = Math.max(...samples.map(({ bytesPerSecond }) => bytesPerSecond), 1)
  const points = samples.map(({ atMs, bytesPerSecond }) => {
    const y = HEIGHT - MARGIN - (bytesPerSecond / top) * (HEIGHT - 2 * MARGIN)
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
