import { A } from '@solidjs/router'
import Check from 'lucide-solid/icons/check'
import LoaderCircle from 'lucide-solid/icons/loader-circle'
import X from 'lucide-solid/icons/x'
import { Show } from 'solid-js'
import type { ScheduleRun } from '../api/types.ts'
import { formatDateTime } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { MessageText } from '../base/message-text.tsx'
import { useNow } from '../base/now.ts'
import { runMessage } from './run-text.ts'

/** A run of a schedule, with a link to its archive. */
export function RunRow(props: { run: ScheduleRun }) {
  const now = useNow()
  const started = () => capitalised(formatDateTime(props.run.started_at, now()))
  return (
    <ListRow
      icon={ICONS[props.run.status]}
      tone={TONES[props.run.status]}
      title={
        <Show when={props.run.job_id} fallback={started()}>
          {(id) => <A href={`/archives/${id()}`}>{started()}</A>}
        </Show>
      }
      details={
        <span data-tone={props.run.status === 'failed' ? 'danger' : undefined}>
          <MessageText message={runMessage(props.run, now())} />
        </span>
      }
    />
  )
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const ICONS = { running: LoaderCircle, completed: Check, failed: X } as const
const TONES = { running: undefined, completed: 'success', failed: 'danger' } as const
