import Download from 'lucide-solid/icons/download'
import { Match, Show, Switch } from 'solid-js'
import { isUnderWay, type Job } from '../api/jobs.ts'
import { CopyButton } from '../base/copy-button.tsx'
import { formatBytes, formatCount, formatRelative, plural } from '../base/format.ts'
import { Notice } from '../base/notice.tsx'
import { nowMs } from '../base/now.ts'
import { ProgressBar } from '../base/progress-bar.tsx'

/** What is to be seen of an archive first: how far it is, or its download, or why there is none. */
export function ArchiveState(props: { job: Job }) {
  const failedCount = () => props.job.errors?.length ?? 0
  return (
    <section class="card archive-card" aria-label="State">
      <Switch>
        <Match when={isUnderWay(props.job)}>
          <p class="big-number">
            {formatCount(props.job.file_count)}
            <span class="muted"> of {plural(props.job.url_count, 'file')}</span>
          </p>
          <ProgressBar
            label="URLs done"
            value={props.job.file_count + failedCount()}
            max={props.job.url_count}
          />
          <p class="muted">
            <Show when={props.job.status === 'processing'} fallback="It begins as soon as others are done.">
              {formatBytes(props.job.zip_size)} so far
              <Show when={failedCount() > 0}> · {plural(failedCount(), 'URL')} failed</Show>
            </Show>
          </p>
        </Match>
        <Match when={props.job.download_url}>
          {(url) => (
            <>
              <p class="big-number">
                {formatBytes(props.job.zip_size)}
                <span class="muted"> · {plural(props.job.file_count, 'file')}</span>
              </p>
              <div class="buttons">
                <a class="button primary large" href={url()} download={props.job.zip_filename}>
                  <Download aria-hidden="true" />
                  Download
                </a>
                <CopyButton class="large" label="Copy link" text={url()} />
              </div>
              <p class="muted">
                The link works for everyone who has it. It expires{' '}
                {formatRelative(props.job.expires_at ?? '', nowMs())}.
              </p>
            </>
          )}
        </Match>
        <Match when={props.job.status === 'completed'}>
          <p class="big-number muted">Expired</p>
          <p class="muted">This archive was deleted when its time was over. Make it again to download it.</p>
        </Match>
        <Match when={props.job.failure}>
          {(failure) => (
            <>
              <Notice kind="problem">{failure().message}</Notice>
              <p class="muted">
                {formatCount(props.job.file_count)} of {plural(props.job.url_count, 'file')} (
                {formatBytes(props.job.zip_size)}) are kept: resume fetches only the rest.
              </p>
            </>
          )}
        </Match>
      </Switch>
    </section>
  )
}
