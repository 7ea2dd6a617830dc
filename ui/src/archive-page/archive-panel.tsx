import { useNavigate } from '@solidjs/router'
import { Match, Switch } from 'solid-js'
import type { Job } from '../api/types.ts'
import { cancel } from '../archive-list/archive-actions.ts'
import { BottomBar } from '../base/bottom-bar.tsx'
import { Button } from '../base/button.tsx'
import { formatDateTime } from '../base/format.ts'
import type { Recognised } from '../links/link.ts'
import { replaceDraft } from '../new-archive/draft.ts'
import styles from './archive-panel.module.css'
import { JobProgress } from './job-progress.tsx'
import { type PanelProps, PanelStatus } from './panel-status.tsx'
import { ReadyPanel } from './ready-panel.tsx'
import { StoppedPanel } from './stopped-panel.tsx'

/** The state of an archive and its main actions, where a new archive has its button to pack. */
export function ArchivePanel(props: PanelProps) {
  return (
    <BottomBar takesFocus={props.isNew}>
      <div class={styles.panel}>
        <Switch>
          <Match when={props.state === 'waiting' || props.state === 'running'}>
            <ActivePanel {...props} />
          </Match>
          <Match when={props.state === 'ready'}>
            <ReadyPanel {...props} />
          </Match>
          <Match when={props.state === 'expired'}>
            <ExpiredPanel {...props} />
          </Match>
          <Match when={props.state === 'failed' || props.state === 'cancelled'}>
            <StoppedPanel {...props} />
          </Match>
        </Switch>
      </div>
    </BottomBar>
  )
}

function ActivePanel(props: PanelProps) {
  return (
    <>
      <JobProgress job={props.job} live={props.live} waiting={props.state === 'waiting'} />
      <div class={styles.actions}>
        <Button size="large" onClick={() => void cancel(props.job.id).then(() => props.live.refresh())}>
          Cancel
        </Button>
        {/* Keeps the focus until it becomes the download. */}
        <Button variant="primary" size="large" aria-disabled="true">
          Packing…
        </Button>
      </div>
    </>
  )
}

function ExpiredPanel(props: PanelProps) {
  const navigate = useNavigate()
  const reuseLinks = () => {
    replaceDraft(linksOfJob(props.job))
    navigate('/')
  }
  return (
    <>
      <PanelStatus {...props} title="Archive expired">
        The file was deleted {formatDateTime(props.job.expires_at ?? props.job.created_at, props.now)}.
      </PanelStatus>
      <div class={styles.actions}>
        <Button variant="primary" size="large" onClick={reuseLinks}>
          Reuse these links
        </Button>
      </div>
    </>
  )
}

/** Returns the links as they were submitted, with their file names if they have any. */
function linksOfJob({ urls, files }: Job): Recognised[] {
  const sources: readonly { readonly url: string; readonly filename?: string | undefined }[] =
    files ?? urls.map((url) => ({ url }))
  return sources.map(({ url, filename }) => ({ kind: 'link', url, filename: filename ?? null }))
}
