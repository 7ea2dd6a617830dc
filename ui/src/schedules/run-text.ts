import type { ScheduleRun } from '../api/types.ts'
import { schedulesCopy } from '../language/english/schedules.ts'
import { changesText } from '../repeat/changes-text.ts'

const copy = schedulesCopy.run

/** "3 new, 2 changed, 1 kept from 4 May", "Running", "Failed: 3 of 10 URLs could not be fetched." */
export function runText({ status, changes, failure, kept_from }: ScheduleRun, now: number): string {
  if (status === 'running') return copy.running
  if (status === 'failed') return failure === null ? copy.failed : copy.failedBecause(failure.message)
  return changes === null ? copy.ready : changesText(changes, kept_from, now)
}
