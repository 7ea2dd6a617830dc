import { createPolling } from '../api/polling.ts'
import { listSchedules } from '../api/schedules.ts'
import { announce } from '../base/announcer.tsx'
import { ButtonLink } from '../base/button-link.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection } from '../base/list-section.tsx'
import { PageHeader } from '../base/page.tsx'
import { schedulesCopy as copy } from '../language/english/schedules.ts'
import { ScheduleRow } from './schedule-row.tsx'

/** The page of schedules: lists that are packed again and again. */
export function SchedulesPage() {
  const schedules = createPolling(listSchedules, () => REFRESH_MS)
  const onDeleted = () => {
    announce(copy.removed)
    schedules.refresh()
  }
  return (
    <>
      <PageHeader title={copy.title} lead={copy.lead} />
      <ListSection
        title={copy.yours}
        source={schedules}
        empty={
          <EmptyState title={copy.none} text={copy.noneText}>
            <ButtonLink href="/">{copy.newArchive}</ButtonLink>
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
