import { cancel } from '../archive-list/archive-actions.ts'
import { Button } from '../base/button.tsx'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { JobProgress } from './job-progress.tsx'
import type { PanelProps } from './panel-status.tsx'

/** The progress of an archive that waits or is being packed. */
export function ActiveStatus(props: PanelProps) {
  return <JobProgress job={props.job} live={props.live} waiting={props.state === 'waiting'} />
}

export function ActiveActions(props: PanelProps) {
  return (
    <>
      <Button size="large" onClick={() => void cancel(props.job.id).then(() => props.live.refresh())}>
        {archivePageCopy.progress.cancel}
      </Button>
      {/* Keeps the focus until it becomes the download. */}
      <Button variant="primary" size="large" aria-disabled="true">
        {archivePageCopy.progress.packing}
      </Button>
    </>
  )
}
