import Download from 'lucide-solid/icons/download'
import { Show } from 'solid-js'
import { missingCount } from '../archive-list/archive-state.ts'
import { DownloadLink } from '../base/button.tsx'
import { countOf, formatBytes, formatCount } from '../base/format.ts'
import { useShortcut } from '../base/shortcuts.ts'
import styles from './archive-panel.module.css'
import { CurlCommand } from './curl-command.tsx'
import { type PanelProps, PanelStatus } from './panel-status.tsx'

/** The size of a finished archive. */
export function ReadyStatus(props: PanelProps) {
  return (
    <PanelStatus {...props} title="Ready to download">
      {countOf(props.job.file_count, 'file')} · {formatBytes(props.job.zip_size)}
      <Show when={missingCount(props.job) > 0}>
        {' '}
        · <span class={styles.missing}>{formatCount(missingCount(props.job))} left out</span>
      </Show>
      <Show when={props.job.warning_count > 0}>
        {' '}
        · <span class={styles.missing}>{formatCount(props.job.warning_count)} to check</span>
      </Show>
    </PanelStatus>
  )
}

export function ReadyActions(props: PanelProps) {
  let link: HTMLAnchorElement | undefined
  useShortcut({ keys: ['d'], label: 'Download archive', run: () => link?.click() })
  return (
    <Show when={props.job.download_url}>
      {(url) => (
        <DownloadLink ref={link} variant="primary" size="large" href={url()}>
          <Download size={20} aria-hidden="true" />
          Download
        </DownloadLink>
      )}
    </Show>
  )
}

/** The page for receivers, and the command that downloads the archive in a terminal. */
export function SecondaryLinks(props: PanelProps) {
  return (
    <Show when={props.job.download_url}>
      {(url) => (
        <div class={styles.more}>
          <a href={props.job.share_url}>Share page</a>
          <CurlCommand url={url()} filename={props.job.zip_filename} />
        </div>
      )}
    </Show>
  )
}
