/** Fetches one URL as the engine does and prints what came of it; in a process of its own, for what is read at its start. */

import { createAddressGuard } from '../../server/fetching/address-guard.ts'
import { CheckedResolver } from '../../server/fetching/checked-resolver.ts'
import { FETCH_LIMITS, type FetchLimits } from '../../server/fetching/fetch-limits.ts'
import { fetchUrl } from '../../server/fetching/fetch-url.ts'

// Limits other than usual come as JSON behind the URL.
const [url = '', otherLimits = '{}'] = process.argv.slice(2)
const limits: FetchLimits = { ...FETCH_LIMITS, ...JSON.parse(otherLimits) }
const { signal } = new AbortController()
const guard = createAddressGuard({ allowedNetworks: ['127.0.0.0/8'], ownPort: null }, () => [])
const resolver = new CheckedResolver(guard, signal)
try {
  const context = { resolver, limits, leaseHost: async () => signal }
  await using response = await fetchUrl(url, {}, context)
  for await (const piece of response.body) process.stdout.write(piece)
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
