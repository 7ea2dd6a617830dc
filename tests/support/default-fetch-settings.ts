import { FETCH_LIMITS } from '../../server/fetching/attempts/fetch-limits.ts'
import type { FetchSettings } from '../../server/fetching/fetch-settings.ts'
import { OWN_USER_AGENT } from '../../server/fetching/request.ts'

/** How a service without any setting reaches sources. */
export const DEFAULT_FETCH_SETTINGS: FetchSettings = {
  limits: FETCH_LIMITS,
  proxies: { http: null, https: null, exempt: '' },
  ca: [],
  userAgent: OWN_USER_AGENT,
  bytesPerSecond: null,
}
