import { Show } from 'solid-js'
import type { ServiceStatus } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Fact, Facts } from '../base/facts.tsx'
import { formatBytes } from '../base/format.ts'
import { Meter } from '../base/meter.tsx'
import { serviceCopy } from '../language/english/service.ts'
import styles from './disk-use.module.css'

const copy = serviceCopy.disk

/** How full the disk of the archives is, and of what. */
export function DiskUse(props: { status: ServiceStatus }) {
  const disk = () => props.status.disk
  const usedBytes = () => disk().total - disk().free
  const otherBytes = () =>
    Math.max(0, usedBytes() - props.status.archive_bytes - props.status.checkpoint_bytes)
  return (
    <section class={styles.disk} aria-labelledby="disk">
      <h2 id="disk">{copy.title}</h2>
      <p class={styles.figures}>
        <span class={styles.free}>{copy.free(formatBytes(disk().free))}</span>
        <span class={styles.total}>{copy.total(formatBytes(disk().total))}</span>
      </p>
      <Meter
        label={copy.meter}
        fraction={usedBytes() / disk().total}
        warningFrom={WARNING_FROM}
        valueText={copy.used(formatBytes(usedBytes()), formatBytes(disk().total))}
      />
      <Show when={disk().free < disk().kept_free}>
        <Alert tone="warning">{copy.nearlyFull(formatBytes(disk().kept_free))}</Alert>
      </Show>
      <Facts>
        <Fact name={copy.archives}>{formatBytes(props.status.archive_bytes)}</Fact>
        <Fact name={copy.retries}>{formatBytes(props.status.checkpoint_bytes)}</Fact>
        <Fact name={copy.other}>{formatBytes(otherBytes())}</Fact>
        <Fact name={copy.keptFree}>{formatBytes(disk().kept_free)}</Fact>
      </Facts>
    </section>
  )
}

/** The meter changes colour when this fraction of the disk is used. */
const WARNING_FROM = 0.9
