import { useNavigate, useParams } from '@solidjs/router'
import { createSignal, Match, Show, Switch } from 'solid-js'
import { createPolling } from '../api/polling.ts'
import { getSchedule, listRuns } from '../api/schedules.ts'
import type { Schedule } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { announce } from '../base/announcer.tsx'
import { BackLink } from '../base/back-link.tsx'
import { ButtonLink } from '../base/button-link.tsx'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { formatDateTime } from '../base/format.ts'
import { LinkActions } from '../base/link-actions.tsx'
import { ListSection } from '../base/list-section.tsx'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { messageOf, wordsOfService } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { useNow } from '../base/now.ts'
import { PageHeader, useDocumentTitle } from '../base/page.tsx'
import { ShowMore } from '../base/show-more.tsx'
import { baseCopy } from '../language/english/base.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { schedulesCopy } from '../language/english/schedules.ts'
import { scheduleText } from '../repeat/recurrence.ts'
import { headersText } from '../repeat/schedule-details.tsx'
import { RunRow } from './run-row.tsx'
import { ScheduleMenu } from './schedule-menu.tsx'
import styles from './schedule-page.module.css'

const copy = schedulesCopy.page

/** The page of one schedule: its runs, the link to its latest archive, and what can be done with it. */
export function SchedulePage() {
  const params = useParams<{ id: string }>()
  return (
    <>
      <BackLink href="/account/schedules">{schedulesCopy.title}</BackLink>
      <Show when={params.id} keyed>
        {(id) => <LoadedSchedule id={id} />}
      </Show>
    </>
  )
}

function LoadedSchedule(props: { id: string }) {
  const navigate = useNavigate()
  const now = useNow()
  const [count, setCount] = createSignal(PAGE_SIZE)
  const loaded = createPolling(
    async (signal) => {
      const [schedule, runs] = await Promise.all([
        getSchedule(props.id, signal),
        listRuns(props.id, count(), signal),
      ])
      return { schedule, runs }
    },
    ({ runs }) => (runs.items.some(({ status }) => status === 'running') ? RUNNING_MS : REFRESH_MS),
  )
  const runs = {
    value: () => loaded.value()?.runs.items,
    error: loaded.error,
    refresh: loaded.refresh,
  }
  const onDeleted = () => {
    announce(schedulesCopy.removed)
    navigate('/account/schedules', { replace: true })
  }
  const showMore = () => {
    setCount((count) => count + PAGE_SIZE)
    loaded.refresh()
  }
  useDocumentTitle(() => loaded.value()?.schedule.name ?? copy.title)

  return (
    <Switch fallback={<Placeholder />}>
      <Match when={loaded.error()?.code === 'NOT_FOUND'}>
        <EmptyState isPage title={copy.notFound} text={copy.notFoundText}>
          <ButtonLink href="/account/schedules">{copy.seeYours}</ButtonLink>
        </EmptyState>
      </Match>
      <Match when={loaded.value()}>
        {(value) => (
          <>
            <PageHeader title={value().schedule.name} lead={leadOf(value().schedule, now())} isFileName>
              <ScheduleMenu
                schedule={value().schedule}
                onChanged={loaded.refresh}
                stopFor={loaded.stopFor}
                onDeleted={onDeleted}
              />
            </PageHeader>
            <Show when={value().schedule.paused_reason}>
              {(reason) => (
                <Alert tone="warning">
                  <MessageText message={wordsOfService(reason())} />
                </Alert>
              )}
            </Show>
            <Card class={styles.latest} isPadded>
              <p class={styles.hint}>{copy.latest}</p>
              <LinkActions url={value().schedule.latest_url} />
            </Card>
            <ListSection
              title={copy.runs}
              source={runs}
              empty={<EmptyState title={copy.noRuns} text={copy.noRunsText} />}
            >
              {(run) => <RunRow run={run} />}
            </ListSection>
            <Show when={value().runs.total > value().runs.items.length}>
              <ShowMore onShowMore={showMore} />
            </Show>
          </>
        )}
      </Match>
      <Match when={loaded.error()}>
        {(error) => (
          <Card>
            <h1 class="visually-hidden">{copy.title}</h1>
            <ListError message={messageOf(error())} onRetry={loaded.refresh} />
          </Card>
        )}
      </Match>
    </Switch>
  )
}

/** "Every Monday at 06:00, next: 30 Nov, 06:00 · 12 links · keeps 4 archives" */
function leadOf(schedule: Schedule, now: number): string {
  const { next_run_at, page, url_count, keep, headers } = schedule
  const when = scheduleText(schedule)
  return [
    next_run_at === null ? when : copy.next(when, formatDateTime(next_run_at, now)),
    page === null ? baseCopy.links(url_count ?? 0) : pageText(page),
    ...(headers.length === 0 ? [] : [copy.sends(headersText(schedule))]),
    copy.keeps(keep),
  ].join(' · ')
}

/** "documents of https://example.org/ that match *.pdf" */
function pageText({ url, kind, match }: NonNullable<Schedule['page']>): string {
  const links = kind === null ? copy.links : controlsCopy.manyKinds[kind]
  return match === null ? copy.linksOf(links, url) : copy.linksThatMatch(links, url, match)
}

function Placeholder() {
  return (
    <Card>
      <h1 class="visually-hidden">{copy.title}</h1>
      <ListSkeleton />
    </Card>
  )
}

const PAGE_SIZE = 25
const RUNNING_MS = 2_000
const REFRESH_MS = 10_000
