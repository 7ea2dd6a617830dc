import Download from 'lucide-solid/icons/download'
import { Show } from 'solid-js'
import type { SharedArchive } from '../api/types.ts'
import { DownloadLink } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { countOf, formatBytes, formatDateTime, formatFullDateTime, formatPercent } from '../base/format.ts'
import { LinkActions } from '../base/link-actions.tsx'
import { PageHeader } from '../base/page.tsx'
import { ProgressBar } from '../base/progress-bar.tsx'
import { useTabIcon } from '../base/tab-icon.ts'
import { changesText } from '../repeat/changes-text.ts'
import { EarlierArchives } from './earlier-archives.tsx'
import styles from './open-archive.module.css'
import { SharedFiles } from './shared-files.tsx'

export interface OpenArchiveProps {
  archive: SharedArchive
  token: string
  now: number
}

/** An archive that can be downloaded, also while it is packed. What stays keeps the focus when it becomes ready. */
export function OpenArchive(props: OpenArchiveProps) {
  const isReady = () => props.archive.status === 'completed'
  const lead = () => {
    const size = `${countOf(props.archive.file_count, 'file')} · ${formatBytes(props.archive.zip_size)}`
    return isReady() ? size : `${size} so far`
  }
  /** The tab tells the progress, for receivers who wait in another one. */
  const documentTitle = () => {
    const { progress, zip_filename } = props.archive
    return progress === undefined ? zip_filename : `${formatPercent(progress)} ${zip_filename}`
  }
  useTabIcon(() => props.archive.progress ?? null)
  return (
    <>
      <PageHeader
        title={props.archive.zip_filename}
        documentTitle={documentTitle()}
        isFileName
        lead={lead()}
      />
      <Card class={styles.card} isPadded>
        <Show when={!isReady()}>
          <PackingProgress archive={props.archive} />
        </Show>
        <DownloadLink variant="primary" size="large" href={`/download/${props.token}`}>
          <Download size={20} aria-hidden="true" />
          Download
        </DownloadLink>
        <LinkActions url={shareUrl(props.token)} />
        <Show
          when={isReady()}
          fallback={<p class={styles.hint}>What is packed comes at once, and the rest follows.</p>}
        >
          <Show when={props.archive.expires_at}>
            {(expiresAt) => (
              <p class={styles.hint} title={formatFullDateTime(expiresAt())}>
                Available until {formatDateTime(expiresAt(), props.now)}
              </p>
            )}
          </Show>
        </Show>
        <Show when={props.archive.changes}>
          {(changes) => (
            <p class={styles.hint}>{changesText(changes(), props.archive.kept_from ?? null, props.now)}</p>
          )}
        </Show>
      </Card>
      <Show when={isReady()}>
        <SharedFiles token={props.token} />
      </Show>
      <EarlierArchives archives={props.archive.earlier ?? []} now={props.now} />
    </>
  )
}

function PackingProgress(props: { archive: SharedArchive }) {
  const fraction = () => props.archive.progress ?? 0
  const isWaiting = () => props.archive.status === 'pending'
  return (
    <div class={styles.progress}>
      <ProgressBar label="Progress" fraction={fraction()} animated={!isWaiting()} />
      <p class={styles.hint}>{isWaiting() ? 'Waiting to start' : `${formatPercent(fraction())} packed`}</p>
    </div>
  )
}

/** The address of this page, which may have been opened as `/download/...`. */
function shareUrl(token: string): string {
  return `${location.origin}/share/${token}`
}
