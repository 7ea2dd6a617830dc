import Ban from 'lucide-solid/icons/ban'
import Check from 'lucide-solid/icons/check'
import Clock from 'lucide-solid/icons/clock'
import Hourglass from 'lucide-solid/icons/hourglass'
import X from 'lucide-solid/icons/x'
import { Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { ArchiveState } from './archive-state.ts'
import styles from './state-icon.module.css'

/** The icon of a state; for a running archive, a ring that fills. Hidden from screen readers, as a label is next to it. */
export function StateIcon(props: { state: ArchiveState; fraction: number }) {
  const icon = () => (props.state === 'running' ? undefined : ICONS[props.state])
  return (
    <span class={styles.disc} data-state={props.state} aria-hidden="true">
      <Show when={icon()} fallback={<Ring fraction={props.fraction} />}>
        {(icon) => <Dynamic component={icon()} size={20} />}
      </Show>
    </span>
  )
}

/** The circle's circumference is 100, so that the dash offset is a percentage. */
function Ring(props: { fraction: number }) {
  return (
    <svg class={styles.ring} viewBox="0 0 36 36" width="36" height="36" aria-hidden="true">
      <circle class={styles.track} cx="18" cy="18" r="15.9155" />
      <circle
        class={styles.arc}
        cx="18"
        cy="18"
        r="15.9155"
        style={{ 'stroke-dashoffset': String(100 - Math.max(Math.min(props.fraction, 1) * 100, 2)) }}
      />
    </svg>
  )
}

const ICONS = { waiting: Clock, ready: Check, expired: Hourglass, failed: X, cancelled: Ban } as const
