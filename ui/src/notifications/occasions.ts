import type { Delivery, NotifierOccasion } from '../api/types.ts'

/** The choices of what a notifier tells of. */
export const OCCASION_CHOICES = [
  { label: 'All archives', on: ['completed', 'failed'] },
  { label: 'Ready archives', on: ['completed'] },
  { label: 'Failed archives', on: ['failed'] },
  { label: 'Changed lists and failures', on: ['failed', 'changed'] },
] as const satisfies readonly { label: string; on: readonly NotifierOccasion[] }[]

/** "All archives". */
export function occasionsLabel(on: readonly NotifierOccasion[]): string {
  const choice = OCCASION_CHOICES.find(
    ({ on: chosen }) => chosen.length === on.length && chosen.every((occasion) => on.includes(occasion)),
  )
  return choice?.label ?? on.join(', ')
}

export const MESSAGE_LABELS: Readonly<Record<Delivery['type'], string>> = {
  'job.completed': 'Archive ready',
  'job.failed': 'Archive failed',
  'schedule.paused': 'Schedule paused',
  ping: 'Test',
}
