import type { Delivery, WebhookEvent } from '../api/types.ts'

/** The choices of what a webhook is notified of. */
export const EVENT_CHOICES = [
  { label: 'Everything', events: ['job.completed', 'job.failed', 'schedule.paused'] },
  { label: 'All archives', events: ['job.completed', 'job.failed'] },
  { label: 'Ready archives', events: ['job.completed'] },
  { label: 'Failed archives', events: ['job.failed'] },
] as const satisfies readonly { label: string; events: readonly WebhookEvent[] }[]

/** "All archives". */
export function eventsLabel(events: readonly WebhookEvent[]): string {
  const choice = EVENT_CHOICES.find(
    ({ events: chosen }) =>
      chosen.length === events.length && chosen.every((event) => events.includes(event)),
  )
  return choice?.label ?? events.join(', ')
}

export const MESSAGE_LABELS: Readonly<Record<Delivery['type'], string>> = {
  'job.completed': 'Archive ready',
  'job.failed': 'Archive failed',
  'schedule.paused': 'Schedule paused',
  ping: 'Test',
}
