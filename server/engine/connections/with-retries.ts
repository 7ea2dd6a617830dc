import type { FetchLimits } from '../../fetching/attempts/fetch-limits.ts'
import { Retries } from '../../fetching/attempts/retries.ts'
import type { HostConnection } from './host-connection.ts'
import { isCut } from './lease.ts'

/**
 * Makes further attempts to fetch a source if one fails, until it is given up. Keeps the connection open for the next source if all
 * went well.
 * @param brokeOff called after each attempt that failed, with its error. Returns how many bytes it brought that the next one
 * continues
 * @throws the error of the last attempt: a FetchFailure when the source is given up, or at once any other
 */
export async function withRetries<T>(
  { limits, signal }: { readonly limits: FetchLimits; readonly signal: AbortSignal },
  connection: Pick<HostConnection, 'sourceEnded' | 'releaseAfter'>,
  attempt: () => Promise<T>,
  brokeOff: (error: unknown) => Promise<number> = async () => 0,
): Promise<T> {
  const retries = new Retries(limits, signal)
  for (;;) {
    try {
      const result = await attempt()
      connection.sourceEnded()
      return result
    } catch (error) {
      const told = connection.releaseAfter(error)
      const broughtBytes = await brokeOff(error)
      if (!isCut(error)) await retries.waitAfter(error, { ...told, broughtBytes })
    }
  }
}
