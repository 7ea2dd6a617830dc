import { RUN_ID_HEADER } from '../data/service-origin.ts'
import { classifyNetworkError } from '../fetching/attempts/fetch-failure.ts'
import { alsoTrusting, VERIFIED_TLS } from '../fetching/verified-tls.ts'

/** Whether a base URL leads to this service. */
export interface BaseUrlCheck {
  readonly reaches: boolean
  /** Why it does not, as a sentence. */
  readonly problem: string | null
}

/**
 * Requests the health of the service at its base URL, from this machine, and compares who answers. Nothing of the response is told but
 * its status, and the URL is one that was confirmed on this machine, so that a stolen key can't use this to look around.
 */
export async function checkBaseUrl(
  baseUrl: string,
  runId: string,
  ca: readonly string[],
): Promise<BaseUrlCheck> {
  try {
    const response = await fetch(`${baseUrl}/health`, {
      // Nothing between this machine and the address that users type.
      proxy: false,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      tls: { ...VERIFIED_TLS, ...alsoTrusting(ca) },
    })
    await response.body?.cancel()
    if (response.headers.get(RUN_ID_HEADER) === runId) return { reaches: true, problem: null }
    const redirects = response.status >= 300 && response.status < 400
    const problem = redirects
      ? 'The address redirects elsewhere. Enter the address that it leads to.'
      : `Something else answers there (HTTP ${response.status}), not this Holdall.`
    return { reaches: false, problem }
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    const reason = isLate ? 'Timed out' : classifyNetworkError(error).text
    return { reaches: false, problem: `Nothing answers there: ${reason}.` }
  }
}

/** People wait for it. */
const TIMEOUT_MS = 5_000
