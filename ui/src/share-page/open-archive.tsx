import Download from 'lucide-solid/icons/download'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { Show } from 'solid-js'
import type { SharedArchive } from '../api/types.ts'
import { DownloadLink } from '../base/button.tsx'
import { formatBytes, formatDateTime, formatFullDateTime, formatPercent } from '../base/format.ts'
import { LinkActions } from '../base/link-actions.tsx'
import { useDocumentTitle } from '../base/page.tsx'
import { ProgressBar } from '../base/progress-bar.tsx'
import { useTabIcon } from '../base/tab-icon.ts'
import { baseCopy } from '../language/english/base.ts'
import { sharePageCopy } from '../language/english/share-page.ts'
import { changesText } from '../repeat/changes-text.ts'
import { EarlierArchives } from './earlier-archives.tsx'
import styles from './open-archive.module.css'
import { createFileSelection } from './selection.ts'
import { SharedFiles } from './shared-files.tsx'

export interface OpenArchiveProps {
  archive: SharedArchive
  token: string
  now: number
}

/** An archive that can be downloaded, also while it is packed. What stays keeps the focus when it becomes ready. */
export function OpenArchive(props: OpenArchiveProps) {
  const selection = createFileSelection()
  const isReady = () => props.archive.status === 'completed'
  /** The tab tells the progress, for receivers who wait in another one. */
  useDocumentTitle(() => {
    const { progress, zip_filename } = props.archive
    return progress === undefined ? zip_filename : `${formatPercent(progress)} ${zip_filename}`
  })
  useTabIcon(() => props.archive.progress ?? null)
  return (
    <>
      <h1 class={styles.name}>{props.archive.zip_filename}</h1>
      <p class={styles.lead}>
        {baseCopy.files(props.archive.file_count)} ·{' '}
        {isReady()
          ? formatBytes(props.archive.zip_size)
          : sharePageCopy.soFar(formatBytes(props.archive.zip_size))}
        <Show when={props.archive.expires_at}>
          {(expiresAt) => (
            <>
              {' '}
              ·{' '}
              <span class={styles.until} title={formatFullDateTime(expiresAt())}>
                {sharePageCopy.until(formatDateTime(expiresAt(), props.now))}
              </span>
            </>
          )}
        </Show>
      </p>
      <div class={styles.download}>
        <DownloadLink
          variant={selection.isOn() ? 'secondary' : 'primary'}
          size="large"
          href={`/download/${props.token}`}
        >
          <Download size={20} aria-hidden="true" />
          {selection.isOn() ? sharePageCopy.downloadAll : sharePageCopy.download}
        </DownloadLink>
      </div>
      <Show when={props.archive.changes}>
        {(changes) => (
          <p class={styles.changes}>{changesText(changes(), props.archive.kept_from ?? null, props.now)}</p>
        )}
      </Show>
      <Show when={!isReady()}>
        <PackingProgress archive={props.archive} />
      </Show>
      <Show when={props.archive.missing_count > 0}>
        <p class={styles.missing}>
          <TriangleAlert size={18} aria-hidden="true" />
          {sharePageCopy.missing(props.archive.missing_count)}
        </p>
      </Show>
      <div class={styles.actions}>
        <LinkActions url={shareUrl(props.token)} />
      </div>
      <Show when={isReady()}>
        <SharedFiles token={props.token} count={props.archive.file_count} selection={selection} />
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
      <ProgressBar label={sharePageCopy.progress} fraction={fraction()} animated={!isWaiting()} />
      <p class={styles.hint}>
        {isWaiting() ? sharePageCopy.waiting : sharePageCopy.packing(formatPercent(fraction()))}
      </p>
    </div>
  )
}

/** The address of this page, which may have been opened as `/download/...`. */
function shareUrl(token: string): string {
  return `${location.origin}/share/${token}`
}
