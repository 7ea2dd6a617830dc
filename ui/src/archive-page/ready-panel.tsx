import Download from 'lucide-solid/icons/download'
import { createSignal, Show } from 'solid-js'
import { missingCount } from '../archive-list/archive-state.ts'
import { StateIcon } from '../archive-list/state-icon.tsx'
import { DownloadLink } from '../base/button.tsx'
import { formatBytes, formatCount, formatDuration, formatFullDateTime } from '../base/format.ts'
import { lazyPart } from '../base/lazy-part.tsx'
import { useShortcut } from '../base/shortcuts.ts'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { baseCopy } from '../language/english/base.ts'
import { ArchiveName } from './archive-name.tsx'
import styles from './archive-panel.module.css'
import type { PanelProps } from './panel-status.tsx'

const KeepLongerDialog = lazyPart(
  async () => (await import('../archive-list/keep-longer-dialog.tsx')).KeepLongerDialog,
)

/** A finished archive: its name, its size, and how long it is kept. */
export function ReadyStatus(props: PanelProps) {
  const copy = archivePageCopy.ready
  const [isKeeping, setKeeping] = createSignal(false)
  const refresh = () => props.live.refresh()
  return (
    <div class={styles.status}>
      <StateIcon state="ready" fraction={1} />
      <div class={styles.ready}>
        <h2 class="visually-hidden">{copy.title}</h2>
        <ArchiveName job={props.job} onChanged={refresh} />
        <p class={styles.description}>
          <span class={styles.fact}>
            {baseCopy.files(props.job.file_count)} · {formatBytes(props.job.zip_size)}
          </span>
          <Show when={missingCount(props.job) > 0}>
            {' '}
            · <span class={styles.missing}>{copy.leftOut(formatCount(missingCount(props.job)))}</span>
          </Show>
          <Show when={props.job.warning_count > 0}>
            {' '}
            · <span class={styles.missing}>{copy.toCheck(formatCount(props.job.warning_count))}</span>
          </Show>
          <Show when={props.job.expires_at} fallback={` · ${copy.keptBySchedule}`}>
            {(expiresAt) => (
              <>
                {' '}
                ·{' '}
                <span class={styles.fact} title={formatFullDateTime(expiresAt())}>
                  {copy.expires(formatDuration(Date.parse(expiresAt()) - props.now))}
                </span>{' '}
                <button type="button" class={styles.keep} onClick={() => setKeeping(true)}>
                  {copy.keepLonger}
                </button>
              </>
            )}
          </Show>
        </p>
      </div>
      <Show when={isKeeping()}>
        <KeepLongerDialog jobs={[props.job]} onKept={refresh} onClose={() => setKeeping(false)} />
      </Show>
    </div>
  )
}

export function ReadyActions(props: PanelProps) {
  const copy = archivePageCopy.ready
  let link: HTMLAnchorElement | undefined
  useShortcut({ keys: ['d'], label: copy.shortcut, run: () => link?.click() })
  return (
    <Show when={props.job.download_url}>
      {(url) => (
        // While links are fixed, packing again is the main action.
        <DownloadLink ref={link} variant={props.isFixing ? 'secondary' : 'primary'} size="large" href={url()}>
          <Download size={20} aria-hidden="true" />
          {copy.download}
        </DownloadLink>
      )}
    </Show>
  )
}
