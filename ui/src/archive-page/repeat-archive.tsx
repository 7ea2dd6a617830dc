import { useNavigate } from '@solidjs/router'
import { createResource, createSignal, Show } from 'solid-js'
import { getRecentMe } from '../api/account.ts'
import { createSchedule, type NewSchedule } from '../api/schedules.ts'
import type { Job } from '../api/types.ts'
import { lazyPart } from '../base/lazy-part.tsx'
import { messageOf } from '../base/message.ts'
import { showToast } from '../base/toasts.tsx'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { recurrenceText } from '../repeat/recurrence.ts'
import { type RepeatInterval, RepeatMenu } from '../repeat/repeat-menu.tsx'

const RepeatDialog = lazyPart(async () => (await import('../repeat/repeat-dialog.tsx')).RepeatDialog)

/** Makes the list of a ready archive a repeating one. The archive is its first one, from which the next one is made at its time. */
export function RepeatArchive(props: { job: Job }) {
  const navigate = useNavigate()
  const [isChoosing, setChoosing] = createSignal(false)
  const [isBusy, setBusy] = createSignal(false)
  const [me] = createResource(() => getRecentMe().catch(() => undefined))
  const name = () => props.job.zip_filename.replace(/\.zip$/i, '')
  const minScheduleSeconds = () => me()?.limits.min_schedule_seconds ?? 0

  async function create(when: Pick<NewSchedule, 'name' | 'every' | 'time_zone' | 'keep' | 'on_gone'>) {
    const { id, cron } = await createSchedule({ ...settingsOf(props.job), ...when })
    showToast({
      text: recurrenceText(cron),
      action: { label: archivePageCopy.schedule.see, run: () => navigate(`/account/schedules/${id}`) },
    })
  }

  async function repeat(every: RepeatInterval) {
    setBusy(true)
    try {
      await create({ name: name(), every, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone })
    } catch (error) {
      showToast({ text: messageOf(error) })
    }
    setBusy(false)
  }

  return (
    <>
      <RepeatMenu
        disabled={isBusy()}
        minScheduleSeconds={minScheduleSeconds()}
        onChoose={(every) => void repeat(every)}
        onCustom={() => setChoosing(true)}
      />
      <Show when={isChoosing()}>
        <RepeatDialog
          title={archivePageCopy.schedule.repeat}
          name={name()}
          minScheduleSeconds={minScheduleSeconds()}
          onSave={create}
          onClose={() => setChoosing(false)}
        />
      </Show>
    </>
  )
}

function settingsOf({ id, urls, files, metadata, fail_on_warning, manifest }: Job) {
  const list = files === undefined ? { urls } : { files }
  return { ...list, metadata, fail_on_warning, manifest, first_job_id: id }
}
