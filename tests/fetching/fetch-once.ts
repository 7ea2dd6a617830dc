/**
 * `fetch-once.ts URL [LIMITS]`: fetches a URL as the engine does, and prints the body or the error. With limits, it also prints a dot to
 * standard error every 100 ms, which shows that its timers run.
 */
import { createAddressGuard } from '../../server/fetching/addresses/guard.ts'
import { CheckedResolver } from '../../server/fetching/addresses/resolver.ts'
import { FETCH_LIMITS, type FetchLimits } from '../../server/fetching/attempts/fetch-limits.ts'
import { fetchUrl } from '../../server/fetching/fetch-url.ts'
import { OriginHeaders } from '../../server/fetching/headers/origin-headers.ts'
import { ProxyRoutes } from '../../server/fetching/proxies/proxy-routes.ts'
import { openSourceClient } from '../../server/fetching/source-client.ts'
import { parseSourceUrl } from '../../server/fetching/source-url.ts'
import { DEFAULT_FETCH_SETTINGS } from '../support/default-fetch-settings.ts'

// LIMITS is JSON with fields of FetchLimits.
const [url = '', changedLimits] = process.argv.slice(2)
const limits: FetchLimits = { ...FETCH_LIMITS, ...JSON.parse(changedLimits ?? '{}') }
if (changedLimits !== undefined) setInterval(() => process.stderr.write('.'), 100).unref()
const aborter = new AbortController()
const guard = createAddressGuard({ allowedNetworks: ['127.0.0.0/8'], ownPort: null }, () => [])
using client = openSourceClient(DEFAULT_FETCH_SETTINGS, null)
const resolver = new CheckedResolver(guard, aborter.signal)
try {
  const connection = { switchTo: async () => aborter }
  await using response = await fetchUrl(
    parseSourceUrl(url),
    () => ({}),
    {
      resolver,
      client,
      limits,
      proxies: new ProxyRoutes(DEFAULT_FETCH_SETTINGS.proxies, aborter.signal),
      originHeaders: new OriginHeaders([]),
    },
    connection,
  )
  for await (const piece of response.body) process.stdout.write(piece)
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
