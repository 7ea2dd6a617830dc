import { Http1Client, type ReadGate } from './http1/client.ts'
import { OWN_HEADERS } from './request.ts'

/**
 * A client for requests to sources.
 * @param gate limits how fast responses are read; null without a limit
 */
export function openSourceClient(
  { userAgent, ca }: SourceClientSettings,
  gate: ReadGate | null,
): Http1Client {
  return new Http1Client({ headers: Object.entries({ ...OWN_HEADERS, 'user-agent': userAgent }), ca, gate })
}

/** How a client calls itself, and whom it trusts. */
export interface SourceClientSettings {
  readonly userAgent: string
  /** Certificates in PEM format, to trust beside those that are built in. */
  readonly ca: readonly string[]
}
