import { FETCH_LIMITS, type FetchLimits } from './attempts/fetch-limits.ts'
import type { ProxySettings } from './proxies/proxy.ts'
import type { SourceClientSettings } from './source-client.ts'

/** How Holdall reaches sources: the same for all jobs. Plain values, so that a job's thread can be sent them. */
export interface FetchSettings extends SourceClientSettings {
  readonly limits: FetchLimits
  readonly proxies: ProxySettings
  /** How much all jobs read together; null without a limit. */
  readonly bytesPerSecond: number | null
}

/** @param timeoutMs how long a source may take until the first byte of its response */
export function limitsWith(timeoutMs: number): FetchLimits {
  const connectTimeoutMs = Math.min(FETCH_LIMITS.connectTimeoutMs, timeoutMs)
  return { ...FETCH_LIMITS, headersTimeoutMs: timeoutMs, connectTimeoutMs }
}
