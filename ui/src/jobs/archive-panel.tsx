import { useNavigate } from '@solidjs/router'
import Download from 'lucide-solid/icons/download'
import { type JSX, Match, type ParentProps, Show, Switch } from 'solid-js'
import type { Job } from '../api/types.ts'
import { Button, DownloadLink } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { CopyButton } from '../base/copy-button.tsx'
import { countOf, formatBytes, formatCount, formatDuration, formatMoment } from '../base/format.ts'
import { useShortcut } from '../base/shortcuts.ts'
import { cancel, retry } from './actions.ts'
import styles from './archive-panel.module.css'
import { type ArchiveState, doneFraction, missingCount } from './archive-state.ts'
import { CurlLine } from './curl-line.tsx'
import { setDraft } from './draft.ts'
import type { LinkFixes } from './entries/link-fixes.ts'
import { JobProgress } from './job-progress.tsx'
import type { LiveArchive } from './live-archive.ts'
import { StateIcon } from './state-icon.tsx'

export interface ArchivePanelProps {
  job: Job
  state: ArchiveState
  now: number
  live: LiveArchive
  fixes: LinkFixes
  onResume: (skipOthers: boolean) => void
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
  let link: HTMLAnchorElement | undefined
  useShortcut({ keys: ['d'], label: 'Download this archive', run: () => link?.click() })
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
              <DownloadLink ref={link} look="primary" size="large" href={url()}>
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
  const failed = () => props.live.entries.counts().failed
  const fixed = () => props.fixes.count()
  const isStrict = () => props.job.failure?.code === 'URL_FAILED'
  const startOver = () =>
    void retry(props.job.id, { from_checkpoint: false }).then(() => props.live.refresh())
  return (
    <>
      <Words {...props} title={props.state === 'cancelled' ? 'Cancelled' : 'This archive failed'}>
        {props.state === 'cancelled' ? fetchedSoFar(props.job) : props.job.failure?.message}{' '}
        <Show when={failed() > 0}>Correct the links below{isStrict() ? ', or go on without them' : ''}.</Show>
      </Words>
      <div class={styles.actions}>
        <Show when={isStrict() && fixed() === 0}>
          <Button look="primary" size="large" onClick={() => props.onResume(true)}>
            Skip failed links
          </Button>
        </Show>
        <Button
          look={isStrict() && fixed() === 0 ? 'secondary' : 'primary'}
          size="large"
          onClick={() => props.onResume(false)}
        >
          {resumeLabel(props.state, fixed())}
        </Button>
        <Show when={isStrict() && fixed() > 0 && fixed() < failed()}>
          <Button size="large" onClick={() => props.onResume(true)}>
            Skip the other {formatCount(failed() - fixed())}
          </Button>
        </Show>
        <Button look="quiet" onClick={startOver}>
          Start over
        </Button>
        <Show when={props.job.file_count > 0}>
          <p class={styles.aside}>{keptWords(props.job, props.now)}</p>
        </Show>
      </div>
    </>
  )
}

function resumeLabel(state: ArchiveState, fixed: number): string {
  if (fixed > 0) return `Continue with ${countOf(fixed, 'corrected link')}`
  return state === 'cancelled' ? 'Continue' : 'Try again'
}

function keptWords(job: Job, now: number): string {
  const leftMs = Date.parse(job.expires_at ?? '') - now
  if (leftMs <= 0) return 'What was fetched is gone by now.'
  return `${countOf(job.file_count, 'file')} kept for ${formatDuration(leftMs)}`
}

function fetchedSoFar(job: Job): string {
  return `${formatCount(job.file_count)} of ${countOf(job.url_count, 'file')} had been fetched.`
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
