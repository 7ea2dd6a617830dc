import type { NotifierOccasion } from '../api/types.ts'
import { notificationsCopy } from '../language/english/notifications.ts'

/** The choices of what a notifier tells of. */
export const OCCASION_CHOICES = [
  { name: 'all', on: ['completed', 'failed'] },
  { name: 'ready', on: ['completed'] },
  { name: 'failed', on: ['failed'] },
  { name: 'changed', on: ['failed', 'changed'] },
] as const satisfies readonly {
  name: keyof typeof notificationsCopy.occasions
  on: readonly NotifierOccasion[]
}[]

/** "All archives". */
export function occasionsLabel(on: readonly NotifierOccasion[]): string {
  const choice = choiceOf(on)
  return choice === undefined ? on.join(', ') : notificationsCopy.occasions[choice.name]
}

/** "Told of all archives". */
export function toldOf(on: readonly NotifierOccasion[]): string {
  const choice = choiceOf(on)
  return choice === undefined
    ? notificationsCopy.toldOf.others(on.join(', '))
    : notificationsCopy.toldOf[choice.name]
}

function choiceOf(on: readonly NotifierOccasion[]) {
  return OCCASION_CHOICES.find(
    ({ on: chosen }) => chosen.length === on.length && chosen.every((occasion) => on.includes(occasion)),
  )
}
