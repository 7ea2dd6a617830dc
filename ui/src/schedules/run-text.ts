import type { ScheduleRun } from '../api/types.ts'
import { inSentence, type Message, translated } from '../base/message.ts'
import { apiCopy } from '../language/english/api.ts'
import { archiveListCopy } from '../language/english/archive-list.ts'
import { schedulesCopy } from '../language/english/schedules.ts'
import { changesText } from '../repeat/changes-text.ts'

const copy = schedulesCopy.run

/** "3 new, 2 changed, 1 kept from 4 May", "Running", "Failed: 3 of 10 URLs could not be fetched." */
export function runMessage({ status, changes, failure, kept_from }: ScheduleRun, now: number): Message {
  if (status === 'running') return copy.running
  if (status === 'failed')
    return failure === null ? copy.failed : inSentence(failureMessage(failure), copy.failedBecause)
  return changes === null ? copy.ready : changesText(changes, kept_from, now)
}

/** Why the job failed, or why the run was refused. */
function failureMessage({ code, message }: NonNullable<ScheduleRun['failure']>): Message {
  return translated(apiCopy.error(code, archiveListCopy.failure(code, message)), message)
}
