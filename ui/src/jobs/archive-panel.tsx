import { useNavigate } from '@solidjs/router'
import Download from 'lucide-solid/icons/download'
import { type JSX, Match, type ParentProps, Show, Switch } from 'solid-js'
import type { RetryOptions } from '../api/jobs.ts'
import type { Job } from '../api/types.ts'
import { Button, DownloadLink } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { CopyButton } from '../base/copy-button.tsx'
import { countOf, formatBytes, formatDuration, formatMoment } from '../base/format.ts'
import { cancel, retry } from './actions.ts'
import styles from './archive-panel.module.css'
import { type ArchiveState, doneFraction, missingCount } from './archive-state.ts'
import { CurlLine } from './curl-line.tsx'
import { setDraft } from './draft.ts'
import { JobProgress } from './job-progress.tsx'
import type { LiveArchive } from './live-archive.ts'
import { StateIcon } from './state-icon.tsx'

export interface ArchivePanelProps {
  job: Job
  state: ArchiveState
  now: number
  live: LiveArchive
}

/** What an archive is at, and the one thing to do about it. Of one height, whatever the state. */
export function ArchivePanel(props: ArchivePanelProps) {
  return (
    <Card class={styles.panel}>
      <Switch>
        <Match when={props.state === 'waiting' || props.state === 'running'}>
          <Active {...props} />
        </Match>
        <Match when={props.state === 'ready'}>
          <Ready {...props} />
        </Match>
        <Match when={props.state === 'expired'}>
          <Expired {...props} />
        </Match>
        <Match when={props.state === 'failed' || props.state === 'cancelled'}>
          <Stopped {...props} />
        </Match>
      </Switch>
    </Card>
  )
}

function Active(props: ArchivePanelProps) {
  return (
    <>
      <JobProgress job={props.job} live={props.live} waiting={props.state === 'waiting'} />
      <div class={styles.actions}>
        <Button onClick={() => void cancel(props.job.id).then(() => props.live.refresh())}>Cancel</Button>
        <p class={styles.aside}>You can close this page. Holdall goes on by itself.</p>
      </div>
    </>
  )
}

function Ready(props: ArchivePanelProps) {
  return (
    <>
      <Words {...props} title="Ready to download">
        {countOf(props.job.file_count, 'file')} · {formatBytes(props.job.zip_size)}
        <Show when={missingCount(props.job) > 0}>
          {' '}
          · <span class={styles.missing}>{countOf(missingCount(props.job), 'link')} failed</span>
        </Show>
      </Words>
      <div class={styles.actions}>
        <Show when={props.job.download_url}>
          {(url) => (
            <>
              <DownloadLink look="primary" size="large" href={url()}>
                <Download size={20} aria-hidden="true" />
                Download
              </DownloadLink>
              <CopyButton size="large" label="Copy link" text={url} />
            </>
          )}
        </Show>
        <Show when={props.job.expires_at}>
          {(expiresAt) => (
            <p class={styles.aside}>
              Kept for {formatDuration(Date.parse(expiresAt()) - props.now)}
              <br />
              until {formatMoment(expiresAt(), props.now)}
            </p>
          )}
        </Show>
      </div>
      <Show when={props.job.download_url}>
        {(url) => <CurlLine url={url()} filename={props.job.zip_filename} />}
      </Show>
    </>
  )
}

function Expired(props: ArchivePanelProps) {
  const navigate = useNavigate()
  const again = () => {
    setDraft(props.job.urls.join('\n'))
    navigate('/')
  }
  return (
    <>
      <Words {...props} title="This archive has expired">
        Its file was deleted {formatMoment(props.job.expires_at ?? props.job.created_at, props.now)}. The
        links are still here.
      </Words>
      <div class={styles.actions}>
        <Button look="primary" size="large" onClick={again}>
          Use the links again
        </Button>
      </div>
    </>
  )
}

function Stopped(props: ArchivePanelProps) {
  const again = (options?: RetryOptions) => void retry(props.job.id, options).then(() => props.live.refresh())
  const canSkip = () => props.job.failure?.code === 'URL_FAILED'
  return (
    <>
      <Words {...props} title={props.state === 'cancelled' ? 'Cancelled' : 'This archive failed'}>
        {props.state === 'cancelled' ? fetchedSoFar(props.job) : props.job.failure?.message}
      </Words>
      <div class={styles.actions}>
        <Show when={canSkip()}>
          <Button look="primary" size="large" onClick={() => again({ skip_failed: true })}>
            Skip failed links
          </Button>
        </Show>
        <Button look={canSkip() ? 'secondary' : 'primary'} size="large" onClick={() => again()}>
          {props.state === 'cancelled' ? 'Continue' : 'Try again'}
        </Button>
        <Show when={canSkip() || props.state === 'cancelled'}>
          <p class={styles.aside}>What has been fetched is kept.</p>
        </Show>
      </div>
    </>
  )
}

function fetchedSoFar(job: Job): string {
  return `${countOf(job.file_count, 'file')} of ${countOf(job.url_count, 'link')} had been fetched.`
}

function Words(props: ParentProps<ArchivePanelProps & { title: string }>): JSX.Element {
  return (
    <div class={styles.words}>
      <StateIcon state={props.state} fraction={doneFraction(props.job)} />
      <div>
        <h2>{props.title}</h2>
        <p class={styles.story}>{props.children}</p>
      </div>
    </div>
  )
}
