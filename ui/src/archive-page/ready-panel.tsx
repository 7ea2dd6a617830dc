import Download from 'lucide-solid/icons/download'
import { Show } from 'solid-js'
import { missingCount } from '../archive-list/archive-state.ts'
import { DownloadLink } from '../base/button.tsx'
import { countOf, formatBytes, formatCount } from '../base/format.ts'
import { LinkActions } from '../base/link-actions.tsx'
import { useShortcut } from '../base/shortcuts.ts'
import styles from './archive-panel.module.css'
import { CurlCommand } from './curl-command.tsx'
import { type PanelProps, PanelStatus } from './panel-status.tsx'

/** A finished archive: the ways to download it and to share it. */
export function ReadyPanel(props: PanelProps) {
  let link: HTMLAnchorElement | undefined
  useShortcut({ keys: ['d'], label: 'Download archive', run: () => link?.click() })
  return (
    <>
      <PanelStatus {...props} title="Ready to download">
        {countOf(props.job.file_count, 'file')} · {formatBytes(props.job.zip_size)}
        <Show when={missingCount(props.job) > 0}>
          {' '}
          · <span class={styles.missing}>{formatCount(missingCount(props.job))} left out</span>
        </Show>
      </PanelStatus>
      <div class={styles.actions}>
        <Show when={props.job.download_url}>
          {(url) => (
            <>
              <LinkActions url={shareUrl(url())} />
              <DownloadLink ref={link} variant="primary" size="large" href={url()}>
                <Download size={20} aria-hidden="true" />
                Download
              </DownloadLink>
            </>
          )}
        </Show>
      </div>
      <Show when={props.job.download_url}>
        {(url) => (
          <div class={styles.more}>
            <a href={shareUrl(url())}>Share page</a>
            <CurlCommand url={url()} filename={props.job.zip_filename} />
          </div>
        )}
      </Show>
    </>
  )
}

/** The page for whoever gets the link: it shows the archive and its files before they download it. */
function shareUrl(downloadUrl: string): string {
  return downloadUrl.replace('/download/', '/share/')
}
