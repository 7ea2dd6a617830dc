import { A, useParams } from '@solidjs/router'
import ArrowLeft from 'lucide-solid/icons/arrow-left'
import { createEffect, Match, on, Show, Switch } from 'solid-js'
import { getJob, isUnderWay } from '../api/jobs.ts'
import { announce } from '../base/announce.tsx'
import { Notice } from '../base/notice.tsx'
import { setTitle } from '../base/title.ts'
import { createPolled } from '../live/polled.ts'
import { ArchiveActions } from './archive-actions.tsx'
import { ArchiveErrors } from './archive-errors.tsx'
import { ArchiveFacts } from './archive-facts.tsx'
import { ArchiveState } from './archive-state.tsx'
import { StatusBadge } from './status-badge.tsx'

/** One archive, from its first byte to its expiry. */
export function ArchivePage() {
  const params = useParams<{ id: string }>()
  const polled = createPolled(() => getJob(params.id), isUnderWay)
  const status = () => polled.value()?.status
  createEffect(() => setTitle(polled.value()?.zip_filename ?? 'Archive'))
  createEffect(
    on(status, (now, before) => {
      if (before === undefined || now === before) return
      if (now === 'completed') announce('The archive is ready')
      if (now === 'failed') announce('The archive has failed')
    }),
  )
  return (
    <>
      <A class="back" href="/archives">
        <ArrowLeft aria-hidden="true" />
        Archives
      </A>
      <Switch fallback={<div class="card archive-card skeleton" aria-busy="true" />}>
        <Match when={polled.error()}>{(error) => <Notice kind="problem">{error().message}</Notice>}</Match>
        <Match when={polled.value()}>
          {(job) => (
            <article class="archive">
              <header class="archive-head">
                <h1>{job().zip_filename}</h1>
                <StatusBadge status={job().status} />
              </header>
              <ArchiveState job={job()} />
              <Show when={job().errors}>{(errors) => <ArchiveErrors errors={errors()} />}</Show>
              <ArchiveFacts job={job()} />
              <ArchiveActions job={job()} onChange={polled.refresh} />
            </article>
          )}
        </Match>
      </Switch>
    </>
  )
}
