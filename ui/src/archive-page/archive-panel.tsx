import { useNavigate } from '@solidjs/router'
import { Match, Switch } from 'solid-js'
import type { Job } from '../api/types.ts'
import { cancel } from '../archive-list/actions.ts'
import { Button } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { formatMoment } from '../base/format.ts'
import { setDraft } from '../new-archive/draft.ts'
import styles from './archive-panel.module.css'
import { JobProgress } from './job-progress.tsx'
import { type PanelProps, PanelWords } from './panel-words.tsx'
import { ReadyPanel } from './ready-panel.tsx'
import { StoppedPanel } from './stopped-panel.tsx'

/** What an archive is at, and the one thing to do about it. Of one height, whatever the state. */
export function ArchivePanel(props: PanelProps) {
  return (
    <Card class={styles.panel}>
      <Switch>
        <Match when={props.state === 'waiting' || props.state === 'running'}>
          <Active {...props} />
        </Match>
        <Match when={props.state === 'ready'}>
          <ReadyPanel {...props} />
        </Match>
        <Match when={props.state === 'expired'}>
          <Expired {...props} />
        </Match>
        <Match when={props.state === 'failed' || props.state === 'cancelled'}>
          <StoppedPanel {...props} />
        </Match>
      </Switch>
    </Card>
  )
}

function Active(props: PanelProps) {
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

function Expired(props: PanelProps) {
  const navigate = useNavigate()
  const again = () => {
    setDraft(linesOf(props.job))
    navigate('/')
  }
  return (
    <>
      <PanelWords {...props} title="This archive has expired">
        Its file was deleted {formatMoment(props.job.expires_at ?? props.job.created_at, props.now)}. The
        links are still here.
      </PanelWords>
      <div class={styles.actions}>
        <Button variant="primary" size="large" onClick={again}>
          Use the links again
        </Button>
      </div>
    </>
  )
}

/** As they were submitted: with the names that some were given. */
function linesOf({ urls, files }: Job): string {
  const lines = files?.map(({ url, filename }) => (filename === undefined ? url : `${url}\t${filename}`))
  return (lines ?? urls).join('\n')
}
