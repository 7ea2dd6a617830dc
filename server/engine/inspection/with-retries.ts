import { Retries } from '../../fetching/attempts/retries.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import { LeaseRevoked } from '../connections/lease.ts'
import { OutageOver } from '../connections/outage-watch.ts'
import type { InspectionContext } from './context.ts'

/**
 * Makes further attempts if one fails, as for a source of a job. Keeps the connection open for the next source if all went well.
 * @throws FetchFailure when the attempts have failed
 */
export async function withRetries<T>(
  context: InspectionContext,
  connection: HostConnection,
  attempt: () => Promise<T>,
): Promise<T> {
  const retries = new Retries(context.connections.fetchContext.limits, context.signal)
  for (;;) {
    try {
      const result = await attempt()
      connection.sourceEnded()
      return result
    } catch (error) {
      const told = connection.releaseAfter(error)
      // Neither is the fault of the source.
      if (!(error instanceof LeaseRevoked || error instanceof OutageOver))
        await retries.waitAfter(error, { ...told, broughtBytes: 0 })
    }
  }
}
