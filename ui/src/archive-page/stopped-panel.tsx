import { Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { retry } from '../archive-list/archive-actions.ts'
import { type ArchiveState, failureText } from '../archive-list/archive-state.ts'
import { Button } from '../base/button.tsx'
import { countOf, formatCount } from '../base/format.ts'
import type { LinkFixes } from './fixing/link-fixes.ts'
import { type PanelProps, PanelStatus } from './panel-status.tsx'

/** Why an archive failed, or how far it was when it was cancelled. */
export function StoppedStatus(props: PanelProps) {
  return (
    <PanelStatus {...props} title={props.state === 'cancelled' ? 'Cancelled' : 'Archive failed'}>
      {props.state === 'cancelled' ? fetchedText(props.job) : failureText(props.job)}{' '}
      <Show when={props.live.entries.counts().failed > 0}>
        Fix the links in the list{failedOnUrl(props.job) ? ', or continue without them' : ''}.
      </Show>
    </PanelStatus>
  )
}

/** The ways to continue. */
export function StoppedActions(props: PanelProps) {
  const failed = () => props.live.entries.counts().failed
  const fixed = () => props.fixes.count()
  const canSkip = () => failedOnUrl(props.job)
  const startOver = () =>
    void retry(props.job.id, { from_checkpoint: false }).then(() => props.live.refresh())
  return (
    <>
      <Show when={canSkip() && props.fixes.isEmpty()}>
        <Button variant="primary" size="large" onClick={() => props.onResume(true)}>
          Skip failed links
        </Button>
      </Show>
      <Button
        variant={canSkip() && props.fixes.isEmpty() ? 'secondary' : 'primary'}
        size="large"
        onClick={() => props.onResume(false)}
      >
        {resumeLabel(props.state, props.fixes)}
      </Button>
      <Show when={canSkip() && fixed() > 0 && fixed() < failed()}>
        <Button size="large" onClick={() => props.onResume(true)}>
          Continue and leave out the other {formatCount(failed() - fixed())}
        </Button>
      </Show>
      <Button variant="ghost" onClick={startOver}>
        Start over
      </Button>
    </>
  )
}

/** Whether only failed links kept the archive from being packed. */
function failedOnUrl(job: Job): boolean {
  return job.failure?.code === 'URL_FAILED'
}

function resumeLabel(state: ArchiveState, fixes: LinkFixes): string {
  if (fixes.count() > 0) return `Continue with ${countOf(fixes.count(), 'fixed link')}`
  return state === 'cancelled' || !fixes.isEmpty() ? 'Continue' : 'Try again'
}

function fetchedText(job: Job): string {
  return `${formatCount(job.file_count)} of ${countOf(job.url_count, 'file')} fetched before cancelling.`
}
