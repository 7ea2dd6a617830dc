import { useNavigate } from '@solidjs/router'
import { createEffect, createMemo, createSignal, on, Show, untrack } from 'solid-js'
import { type Replacement, retryJob } from '../api/jobs.ts'
import type { Job } from '../api/types.ts'
import { ArchiveMenu } from '../archive-list/archive-menu.tsx'
import { archiveState, doneFraction, STATE_LABELS } from '../archive-list/archive-state.ts'
import { announce } from '../base/announcer.tsx'
import { formatPercent } from '../base/format.ts'
import { useNow } from '../base/now.ts'
import { PageHeader } from '../base/page.tsx'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { statusOf } from '../map/entry-status.ts'
import type { PageMap } from '../map/page-map.tsx'
import { tokenOfLink } from '../preview/packed-file.ts'
import { ArchiveDetails } from './archive-details.tsx'
import { archiveLead } from './archive-lead.ts'
import { ArchivePanel } from './archive-panel.tsx'
import { ArchiveVersions } from './archive-versions.tsx'
import { EntriesSection } from './entries/entries-section.tsx'
import { createLinkFixes } from './fixing/link-fixes.ts'
import { packAgain } from './fixing/pack-again.ts'
import { PackAgainActions } from './fixing/pack-again-actions.tsx'
import type { LinkChoice } from './fixing/saved-fixes.ts'
import type { LiveArchive } from './live-archive.ts'
import { RepeatArchive } from './repeat-archive.tsx'
import { ScheduleLinks } from './schedule-links.tsx'
import { showInTab } from './tab-status.ts'

export interface ArchiveViewProps {
  job: Job
  live: LiveArchive
  map: PageMap
  /** The archive was created on this page, and its files are on it already. */
  isNew: boolean
}

/** An archive whose job has been loaded. */
export function ArchiveView(props: ArchiveViewProps) {
  const navigate = useNavigate()
  const now = useNow()
  const state = createMemo(() => archiveState(props.job, now()))
  const fraction = () => doneFraction(props.job)
  const quarters = createMemo(() => Math.floor(fraction() * 4))

  const documentTitle = showInTab(() => props.job, state, fraction)

  const fixes = createLinkFixes(props.live.entries, () => `${props.job.id} ${props.job.status}`)
  // Corrections that were begun before the page was left or reloaded go on.
  const [isFixingReady, setFixingReady] = createSignal(!untrack(fixes.isEmpty))
  const fixingFor = () => {
    if (props.job.status === 'failed') return 'this-archive'
    return state() === 'ready' && isFixingReady() ? 'new-archive' : null
  }

  let isSubmitting = false
  async function submit(send: (replace: readonly Replacement[]) => Promise<void>) {
    if (isSubmitting) return
    isSubmitting = true
    const invalidPosition = await fixes.submit(send)
    isSubmitting = false
    if (invalidPosition !== null) props.map.show(invalidPosition)
  }

  const resume = (skipOthers: boolean) =>
    submit(async (replace) => {
      const leftOut = fixes.leftOut()
      // The service leaves out all failed links or none: the others are asked for again, one by one.
      const others = skipOthers || leftOut.size === 0 ? [] : failedExcept(leftOut, replace)
      const options = { replace: [...replace, ...others], skip_failed: skipOthers || leftOut.size > 0 }
      await retryJob(props.job.id, options)
      props.live.refresh()
    })

  /** Failed links that are neither left out nor replaced, to be fetched as they are. */
  function failedExcept(leftOut: ReadonlySet<number>, replace: readonly Replacement[]): Replacement[] {
    const decided = new Set([...leftOut, ...replace.map(({ position }) => position)])
    return props.live.entries
      .rows()
      .filter(({ status, position }) => status === 'failed' && !decided.has(position))
      .map(({ position, url }) => ({ position, url }))
  }

  const makeFixedArchive = () =>
    submit(async (replace) => {
      const id =
        props.live.entries.counts().failed > 0 || fixes.leftOut().size > 0
          ? await packAgain(props.job, 'all', replace, fixes.leftOut())
          : await retryJob(props.job.id, { replace: replace.length > 0 ? replace : linksToCheck() })
      navigate(`/archives/${id}`)
    })

  /** Without a correction they are fetched again as they are, like failed ones. */
  function linksToCheck(): Replacement[] {
    const wrong = props.live.entries.rows().filter((row) => statusOf(row) === 'check')
    return wrong.map(({ position, url }) => ({ position, url }))
  }

  function fixReady() {
    setFixingReady(true)
    showFirstToFix()
  }

  function fixOne(position: number, choice: LinkChoice | null) {
    setFixingReady(true)
    if (choice === null) props.map.show(position)
    else fixes.choose(position, choice)
  }

  function discardFixes() {
    fixes.clear()
    setFixingReady(false)
    showFirstToFix()
  }

  function showFirstToFix() {
    const rows = props.live.entries.rows()
    const first =
      rows.find(({ status }) => status === 'failed') ?? rows.find((row) => statusOf(row) === 'check')
    if (first) props.map.show(first.position)
  }

  createEffect(
    on(state, (state) => announce(archivePageCopy.state(props.job.zip_filename, STATE_LABELS[state])), {
      defer: true,
    }),
  )
  createEffect(
    on(
      quarters,
      (quarters) => {
        if (state() === 'running') announce(archivePageCopy.done(formatPercent(quarters / 4)))
      },
      { defer: true },
    ),
  )

  return (
    <>
      <PageHeader
        title={props.job.zip_filename}
        documentTitle={documentTitle()}
        lead={archiveLead(props.job, state(), now())}
        isFileName
      >
        <ArchiveMenu
          job={props.job}
          state={state()}
          downloadUrl={props.job.download_url}
          onChanged={() => props.live.refresh()}
          onDeleted={() => navigate('/archives')}
        />
      </PageHeader>
      <Show when={props.job.schedule_id}>
        {(scheduleId) => <ScheduleLinks scheduleId={scheduleId()} jobId={props.job.id} now={now()} />}
      </Show>
      <EntriesSection
        entries={props.live.entries}
        count={props.job.url_count}
        changes={props.job.changes}
        fixingFor={fixingFor()}
        fixes={fixes}
        onFix={state() === 'ready' && !isFixingReady() ? fixOne : null}
        onSubmit={() => void (fixingFor() === 'new-archive' ? makeFixedArchive() : resume(false))}
        onDiscard={discardFixes}
        actions={
          <Show when={state() === 'ready' && !isFixingReady()}>
            <PackAgainActions
              job={props.job}
              canFix={props.live.entries.counts().failed + props.live.entries.counts().check > 0}
              onFix={fixReady}
            />
            <Show when={props.job.schedule_id === undefined}>
              <RepeatArchive job={props.job} />
            </Show>
          </Show>
        }
        map={props.map}
        isReady={props.job.status === 'completed'}
        token={state() === 'ready' && props.job.download_url ? tokenOfLink(props.job.download_url) : null}
      />
      <ArchivePanel
        job={props.job}
        state={state()}
        now={now()}
        live={props.live}
        fixes={fixes}
        isFixing={fixingFor() === 'new-archive'}
        onResume={(skipOthers) => void resume(skipOthers)}
        isNew={props.isNew}
      />
      <ArchiveVersions job={props.job} now={now()} />
      <ArchiveDetails job={props.job} now={now()} />
    </>
  )
}
