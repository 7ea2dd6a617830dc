import { Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { retry } from '../archive-list/archive-actions.ts'
import { type ArchiveState, failureMessage } from '../archive-list/archive-state.ts'
import { Button } from '../base/button.tsx'
import { formatCount } from '../base/format.ts'
import { MessageText } from '../base/message-text.tsx'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { baseCopy } from '../language/english/base.ts'
import type { LinkFixes } from './fixing/link-fixes.ts'
import { type PanelProps, PanelStatus } from './panel-status.tsx'

const copy = archivePageCopy.stopped

/** Why an archive failed, or how far it was when it was cancelled. */
export function StoppedStatus(props: PanelProps) {
  return (
    <PanelStatus {...props} title={props.state === 'cancelled' ? copy.cancelled : copy.failed}>
      <MessageText
        message={props.state === 'cancelled' ? fetchedText(props.job) : failureMessage(props.job)}
      />{' '}
      <Show when={props.live.entries.counts().failed > 0}>
        {failedOnUrl(props.job) ? copy.fixOrContinue : copy.fix}
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
          {copy.skip}
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
          {copy.leaveOut(failed() - fixed())}
        </Button>
      </Show>
      <Button variant="ghost" onClick={startOver}>
        {copy.startOver}
      </Button>
    </>
  )
}

/** Whether only failed links kept the archive from being packed. */
function failedOnUrl(job: Job): boolean {
  return job.failure?.code === 'URL_FAILED'
}

function resumeLabel(state: ArchiveState, fixes: LinkFixes): string {
  if (fixes.count() > 0) return copy.continueWith(fixes.count())
  return state === 'cancelled' || !fixes.isEmpty() ? copy.continue : copy.tryAgain
}

function fetchedText(job: Job): string {
  return copy.fetched(formatCount(job.file_count), baseCopy.files(job.url_count))
}
