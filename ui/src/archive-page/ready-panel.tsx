import Download from 'lucide-solid/icons/download'
import { createSignal, Show } from 'solid-js'
import { missingCount } from '../archive-list/archive-state.ts'
import { StateIcon } from '../archive-list/state-icon.tsx'
import { DownloadLink } from '../base/button.tsx'
import { countOf, formatBytes, formatCount, formatDuration, formatFullDateTime } from '../base/format.ts'
import { lazyPart } from '../base/lazy-part.tsx'
import { useShortcut } from '../base/shortcuts.ts'
import { ArchiveName } from './archive-name.tsx'
import styles from './archive-panel.module.css'
import type { PanelProps } from './panel-status.tsx'

const KeepLongerDialog = lazyPart(
  async () => (await import('../archive-list/keep-longer-dialog.tsx')).KeepLongerDialog,
)

/** A finished archive: its name, its size, and how long it is kept. */
export function ReadyStatus(props: PanelProps) {
  const [isKeeping, setKeeping] = createSignal(false)
  const refresh = () => props.live.refresh()
  return (
    <div class={styles.status}>
      <StateIcon state="ready" fraction={1} />
      <div class={styles.ready}>
        <h2 class="visually-hidden">Ready to download</h2>
        <ArchiveName job={props.job} onChanged={refresh} />
        <p class={styles.description}>
          <span class={styles.fact}>
            {countOf(props.job.file_count, 'file')} · {formatBytes(props.job.zip_size)}
          </span>
          <Show when={missingCount(props.job) > 0}>
            {' '}
            · <span class={styles.missing}>{formatCount(missingCount(props.job))} left out</span>
          </Show>
          <Show when={props.job.warning_count > 0}>
            {' '}
            · <span class={styles.missing}>{formatCount(props.job.warning_count)} to check</span>
          </Show>
          <Show when={props.job.expires_at} fallback=" · Kept until its schedule has newer ones">
            {(expiresAt) => (
              <>
                {' '}
                ·{' '}
                <span class={styles.fact} title={formatFullDateTime(expiresAt())}>
                  Expires in {formatDuration(Date.parse(expiresAt()) - props.now)}
                </span>{' '}
                <button type="button" class={styles.keep} onClick={() => setKeeping(true)}>
                  Keep longer
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
  let link: HTMLAnchorElement | undefined
  useShortcut({ keys: ['d'], label: 'Download archive', run: () => link?.click() })
  return (
    <Show when={props.job.download_url}>
      {(url) => (
        // While links are fixed, packing again is the main action.
        <DownloadLink ref={link} variant={props.isFixing ? 'secondary' : 'primary'} size="large" href={url()}>
          <Download size={20} aria-hidden="true" />
          Download
        </DownloadLink>
      )}
    </Show>
  )
}
