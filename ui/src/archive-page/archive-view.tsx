import { useNavigate } from '@solidjs/router'
import { createEffect, createMemo, createSignal, on } from 'solid-js'
import type { Job } from '../api/types.ts'
import { ArchiveMenu } from '../archive-list/archive-menu.tsx'
import { archiveState, doneFraction, STATE_LABELS } from '../archive-list/archive-state.ts'
import { announce } from '../base/announcer.tsx'
import { formatPercent } from '../base/format.ts'
import { useNow } from '../base/now.ts'
import { PageHeader } from '../base/page.tsx'
import { ArchiveDetails } from './archive-details.tsx'
import { ArchivePanel } from './archive-panel.tsx'
import { EntriesSection } from './entries/entries-section.tsx'
import { createLinkFixes } from './entries/link-fixes.ts'
import type { LiveArchive } from './live-archive.ts'

/** The page of an archive whose job has been loaded. */
export function ArchiveView(props: { job: Job; live: LiveArchive }) {
  const navigate = useNavigate()
  const now = useNow()
  const state = createMemo(() => archiveState(props.job, now()))
  const fraction = () => doneFraction(props.job, props.live.entries.counts().failed)
  const quarters = createMemo(() => Math.floor(fraction() * 4))

  const documentTitle = () =>
    state() === 'running' ? `${formatPercent(fraction())} ${props.job.zip_filename}` : props.job.zip_filename

  const fixes = createLinkFixes(props.job.id, props.live.entries)
  const [target, setTarget] = createSignal<{ readonly position: number } | null>(null)

  let isResuming = false
  async function resume(skipOthers: boolean) {
    if (isResuming) return
    isResuming = true
    const invalidPosition = await fixes.resume(skipOthers)
    isResuming = false
    if (invalidPosition === null) props.live.refresh()
    else setTarget({ position: invalidPosition })
  }

  createEffect(
    on(state, (state) => announce(`${props.job.zip_filename}: ${STATE_LABELS[state]}`), { defer: true }),
  )
  createEffect(
    on(
      quarters,
      (quarters) => {
        if (state() === 'running') announce(`${formatPercent(quarters / 4)} done`)
      },
      { defer: true },
    ),
  )

  return (
    <>
      <PageHeader title={props.job.zip_filename} documentTitle={documentTitle()} isFileName>
        <ArchiveMenu
          job={props.job}
          state={state()}
          onChanged={() => props.live.refresh()}
          onDeleted={() => navigate('/archives')}
        />
      </PageHeader>
      <ArchivePanel
        job={props.job}
        state={state()}
        now={now()}
        live={props.live}
        fixes={fixes}
        onResume={resume}
      />
      <EntriesSection
        entries={props.live.entries}
        count={props.job.url_count}
        isStopped={props.job.status === 'failed'}
        fixes={fixes}
        onContinue={() => void resume(false)}
        target={target()}
      />
      <ArchiveDetails job={props.job} now={now()} />
    </>
  )
}
