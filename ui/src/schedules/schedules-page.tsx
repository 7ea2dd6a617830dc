import { createPolling } from '../api/polling.ts'
import { listSchedules } from '../api/schedules.ts'
import { announce } from '../base/announcer.tsx'
import { ButtonLink } from '../base/button-link.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection } from '../base/list-section.tsx'
import { PageHeader } from '../base/page.tsx'
import { ScheduleRow } from './schedule-row.tsx'

/** The page of schedules: lists that are packed again and again. */
export function SchedulesPage() {
  const schedules = createPolling(listSchedules, () => REFRESH_MS)
  const onDeleted = () => {
    announce('Removed')
    schedules.refresh()
  }
  return (
    <>
      <PageHeader title="Schedules" lead="Lists that Holdall packs again and again." />
      <ListSection
        title="Your schedules"
        source={schedules}
        empty={
          <EmptyState
            title="No schedules yet"
            text="Paste a list, and press Repeat beside Pack. A ready archive has Repeat, too."
          >
            <ButtonLink href="/">New archive</ButtonLink>
          </EmptyState>
        }
      >
        {(schedule) => (
          <ScheduleRow
            schedule={schedule}
            onChanged={schedules.refresh}
            stopFor={schedules.stopFor}
            onDeleted={onDeleted}
          />
        )}
      </ListSection>
    </>
  )
}

/** Shows runs soon. */
const REFRESH_MS = 10_000
