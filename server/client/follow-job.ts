import type { EventSourceMessage } from 'eventsource-parser'
import { unreachable } from './holdall-error.ts'
import type { OpenResponse } from './read-body.ts'
import { readEvents } from './read-events.ts'
import type { Reconnects } from './reconnects.ts'
import type { Entry, Job, Progress } from './types.ts'

/** One event of a job's stream. `snapshot` is the first of each connection, and `end` the last of all. */
export type JobEvent =
  | { readonly name: 'snapshot'; readonly data: Job }
  | { readonly name: 'progress'; readonly data: Progress }
  | { readonly name: 'entry'; readonly data: Entry }
  | { readonly name: 'end'; readonly data: Job }

/**
 * Yields the events of a job until its `end`. When the stream breaks, connects again by `openStream`.
 * @throws HoldallError when the stream can't be opened again, for example because the job was deleted
 */
export async function* followJob(
  openStream: OpenResponse,
  reconnects: Reconnects,
): AsyncGenerator<JobEvent, void> {
  for (;;) {
    let failure: unknown = unreachable()
    try {
      for await (const message of readEvents(openStream)) {
        reconnects.succeeded()
        const event = toJobEvent(message)
        if (event !== null) yield event
        if (event?.name === 'end') return
      }
    } catch (error) {
      failure = error
    }
    await reconnects.waitAfter(failure)
  }
}

/** Null for an event that a later version of the service may send. */
function toJobEvent({ event: name, data }: EventSourceMessage): JobEvent | null {
  switch (name) {
    case 'snapshot':
    case 'progress':
    case 'entry':
    case 'end':
      return { name, data: JSON.parse(data) }
    default:
      return null
  }
}
