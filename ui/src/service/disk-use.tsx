import { Show } from 'solid-js'
import type { ServiceStatus } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Fact, Facts } from '../base/facts.tsx'
import { formatBytes } from '../base/format.ts'
import { Meter } from '../base/meter.tsx'
import styles from './disk-use.module.css'

/** How full the disk of the archives is, and what takes the space. */
export function DiskUse(props: { status: ServiceStatus }) {
  const disk = () => props.status.disk
  const usedBytes = () => disk().total - disk().free
  const otherBytes = () =>
    Math.max(0, usedBytes() - props.status.archive_bytes - props.status.checkpoint_bytes)
  return (
    <section class={styles.disk} aria-labelledby="disk">
      <h2 id="disk">Disk</h2>
      <p class={styles.figures}>
        <span class={styles.free}>{formatBytes(disk().free)} free</span>
        <span class={styles.total}>of {formatBytes(disk().total)}</span>
      </p>
      <Meter
        label="Disk space used"
        fraction={usedBytes() / disk().total}
        warningFrom={WARNING_FROM}
        valueText={`${formatBytes(usedBytes())} of ${formatBytes(disk().total)}`}
      />
      <Show when={disk().free < disk().kept_free}>
        <Alert tone="warning">
          The disk is nearly full. Holdall accepts no new archives until {formatBytes(disk().kept_free)} is
          free.
        </Alert>
      </Show>
      <Facts>
        <Fact name="Archives">{formatBytes(props.status.archive_bytes)}</Fact>
        <Fact name="Kept for retries">{formatBytes(props.status.checkpoint_bytes)}</Fact>
        <Fact name="Everything else on the disk">{formatBytes(otherBytes())}</Fact>
        <Fact name="Always kept free">{formatBytes(disk().kept_free)}</Fact>
      </Facts>
    </section>
  )
}

/** The meter changes colour when this fraction of the disk is used. */
const WARNING_FROM = 0.9
