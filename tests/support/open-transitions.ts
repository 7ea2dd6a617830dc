import type { Database } from '../../server/db/open.ts'
import { openTransitionStore, type TransitionStore } from '../../server/jobs/lifecycle/transition-store.ts'
import { openEventStore } from '../../server/notifiers/event-store.ts'
import { openRunStore } from '../../server/schedules/run-store.ts'

/** The transitions as the service opens them: the end of a job also writes the deliveries of its owner's webhooks. */
export function openTransitions(db: Database): TransitionStore {
  return openTransitionStore(db, openRunStore(db, openEventStore(db)).jobEnded)
}
