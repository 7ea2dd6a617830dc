import type { ScheduleRun } from '../api/types.ts'
import { changesText } from '../repeat/changes-text.ts'

/** "3 new, 2 changed, 1 kept from 4 May", "Running", "Failed: 3 of 10 URLs could not be fetched." */
export function runText({ status, changes, failure, kept_from }: ScheduleRun, now: number): string {
  if (status === 'running') return 'Running'
  if (status === 'failed') return failure === null ? 'Failed' : `Failed: ${failure.message}`
  return changes === null ? 'Ready' : changesText(changes, kept_from, now)
}
