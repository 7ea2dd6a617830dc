import { FetchFailure } from './fetch-failure.ts'

/**
 * Sends a request to one address of a host after the other, until one of them can be connected to.
 * @throws FetchFailure the failure of the last address, or the first failure that does not concern one address only
 */
export async function tryAddresses<T>(
  addresses: readonly string[],
  request: (address: string) => Promise<T>,
): Promise<T> {
  let failure = new FetchFailure('Could not resolve host')
  for (const address of addresses) {
    try {
      return await request(address)
    } catch (error) {
      if (!(error instanceof FetchFailure) || !TRY_NEXT_ADDRESS.has(error.text)) throw error
      failure = error
    }
  }
  throw failure
}

/** Failures that may concern one address only: another address of the host may work. */
const TRY_NEXT_ADDRESS: ReadonlySet<string> = new Set(['Connection refused', 'Connection failed'])
