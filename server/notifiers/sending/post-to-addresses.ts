import { classifyNetworkError, FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { OWN_HEADERS } from '../../fetching/request.ts'
import { isAddress, type SourceUrl } from '../../fetching/source-url.ts'
import { VERIFIED_TLS } from '../../fetching/verified-tls.ts'
import { formatHostPort } from '../../text/host-port.ts'

/** What is posted to the endpoint of a notifier. */
export interface Post {
  readonly url: SourceUrl
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** All certificates to trust, in PEM format; undefined for those that are built in. */
  readonly ca?: string | undefined
}

/**
 * Posts to one checked address of a host after the other, until one of them can be connected to. `Host` and TLS still use the name of
 * the URL. Follows no redirect and uses no proxy. User information of the URL is not sent.
 * @throws FetchFailure the failure of the last address, or the first failure that does not concern one address only
 */
export async function postToAddresses(
  addresses: readonly string[],
  post: Post,
  signal: AbortSignal,
): Promise<Response> {
  let failure = new FetchFailure('Could not resolve host')
  for (const address of addresses) {
    try {
      return await postTo(address, post, signal)
    } catch (error) {
      if (!(error instanceof FetchFailure) || !TRY_NEXT_ADDRESS.has(error.text)) throw error
      failure = error
    }
  }
  throw failure
}

async function postTo(
  address: string,
  { url, headers, body, ca }: Post,
  signal: AbortSignal,
): Promise<Response> {
  const options: BunFetchRequestInit = {
    method: 'POST',
    headers: { host: url.host, ...OWN_HEADERS, ...headers },
    body,
    redirect: 'manual',
    decompress: false,
    proxy: false,
    tls: {
      ...VERIFIED_TLS,
      ...(isAddress(url) ? {} : { serverName: serverName(url) }),
      ...(ca === undefined ? {} : { ca }),
    },
    signal,
  }
  try {
    return await fetch(`${url.scheme}://${formatHostPort(address, url.port)}${url.path}`, options)
  } catch (error) {
    throw signal.aborted ? signal.reason : classifyNetworkError(error)
  }
}

/** RFC 6066 section 3: without the trailing dot of an absolute name. */
function serverName(url: SourceUrl): string {
  return url.hostname.replace(/\.$/, '')
}

/** Failures that may concern one address only: another address of the host may work. */
const TRY_NEXT_ADDRESS: ReadonlySet<string> = new Set(['Connection refused', 'Connection failed'])
