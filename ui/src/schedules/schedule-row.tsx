import { A } from '@solidjs/router'
import Pause from 'lucide-solid/icons/pause'
import Repeat from 'lucide-solid/icons/repeat'
import { Show } from 'solid-js'
import type { ListedSchedule } from '../api/types.ts'
import { formatDateTime, formatFullDateTime } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { inSentence } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { useNow } from '../base/now.ts'
import { schedulesCopy } from '../language/english/schedules.ts'
import { scheduleText } from '../repeat/recurrence.ts'
import { runMessage } from './run-text.ts'
import { ScheduleMenu, type ScheduleMenuProps } from './schedule-menu.tsx'

const copy = schedulesCopy.row

/** A schedule in the list: when it runs, what its last run has brought, and what can be done with it. */
export function ScheduleRow(props: ScheduleMenuProps & { schedule: ListedSchedule }) {
  const now = useNow()
  const isPaused = () => props.schedule.status === 'paused'
  return (
    <ListRow
      icon={isPaused() ? Pause : Repeat}
      tone={isPaused() ? (props.schedule.paused_reason === null ? 'muted' : 'danger') : undefined}
      title={<A href={`/account/schedules/${props.schedule.id}`}>{props.schedule.name}</A>}
      details={
        <>
          <Show when={isPaused()}>
            <span data-tone={props.schedule.paused_reason === null ? undefined : 'danger'}>
              {copy.paused}
            </span>
          </Show>
          <span>{scheduleText(props.schedule)}</span>
          <Show when={props.schedule.next_run_at}>
            {(next) => (
              <time datetime={next()} title={formatFullDateTime(next())}>
                {copy.next(formatDateTime(next(), now()))}
              </time>
            )}
          </Show>
          <Show when={props.schedule.last_run}>
            {(run) => (
              <span data-tone={run().status === 'failed' ? 'danger' : undefined}>
                <MessageText
                  message={inSentence(runMessage(run(), now()), (result) =>
                    copy.last(formatDateTime(run().started_at, now()), result),
                  )}
                />
              </span>
            )}
          </Show>
        </>
      }
    >
      <ScheduleMenu {...props} />
    </ListRow>
  )
}
