import { once } from 'node:events'
import type { AddressGuard } from '../../fetching/addresses/guard.ts'
import type { CheckedResolver } from '../../fetching/addresses/resolver.ts'
import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { lackedDescriptors } from '../../fetching/attempts/retries.ts'
import { basicCredentials } from '../../fetching/request.ts'
import { parseSourceUrl } from '../../fetching/source-url.ts'
import { unpausedTimeout } from '../../time/unpaused-time.ts'
import type { AttemptResult } from '../delivery-change.ts'
import { postToAddresses } from './post-to-addresses.ts'

/** What attempts need in addition to a message. */
export interface AttemptContext {
  readonly resolver: CheckedResolver
  readonly guard: AddressGuard
  readonly timeoutMs: number
  /** All certificates to trust, in PEM format; undefined for those that are built in. */
  readonly ca: string | undefined
}

/** A signed message for an endpoint. */
export interface OutgoingMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Posts a message to an address that was checked just before, and follows no redirect. At most 64 KiB of the response body
 * are read, and none of it is used.
 * @param aborter ends the attempt when aborted
 * @returns null when it was aborted, or when this process lacked descriptors: then it does not count
 */
export async function attempt(
  message: OutgoingMessage,
  context: AttemptContext,
  aborter: AbortController,
): Promise<AttemptResult | null> {
  const { signal } = aborter
  using _timeout = unpausedTimeout(context.timeoutMs, () => aborter.abort(new FetchFailure('Timed out')))
  try {
    return await send(message, context, signal)
  } catch (error) {
    const failure: unknown = signal.aborted ? signal.reason : error
    if (failure instanceof FetchFailure)
      return lackedDescriptors(failure) ? null : { responseStatus: null, error: failure.text }
    if (signal.aborted) return null
    throw error
  }
}

async function send(
  { url: text, headers, body }: OutgoingMessage,
  { resolver, guard, ca }: AttemptContext,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const url = parseSourceUrl(text)
  const authorization = basicCredentials(url)
  const allHeaders = {
    'content-type': 'application/json',
    ...headers,
    ...(authorization === null ? {} : { authorization }),
  }
  const addresses = await untilAborted(resolver.resolve(url.hostname, url.port), signal)
  // Without TLS, anyone on the way could read the message, with its download link.
  if (url.scheme === 'http' && !addresses.every(guard.isListed)) return HTTPS_REQUIRED
  const response = await postToAddresses(addresses, { url, headers: allHeaders, body, ca }, signal)
  await discard(response.body)
  return { responseStatus: response.status, error: null }
}

/** Rejects with the signal's reason when it is aborted first: a look-up can't be aborted by itself. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController()
  const aborted = once(signal, 'abort', { signal: done.signal }).then(() => {
    throw signal.reason
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    aborted.catch(() => {})
    done.abort()
  }
}

/**
 * Reads the beginning of a body, so that the connection can be used again after a short one. The status has arrived, so
 * nothing that goes wrong here matters.
 */
async function discard(body: ReadableStream<Uint8Array> | null): Promise<void> {
  const reader = body?.getReader()
  try {
    for (let readBytes = 0; reader !== undefined && readBytes < MAX_RESPONSE_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return
      readBytes += value.length
    }
  } catch {
    return
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

const HTTPS_REQUIRED: AttemptResult = { responseStatus: null, error: 'HTTPS required' }

/** Most responses end within this. Longer ones cost a connection. */
const MAX_RESPONSE_BYTES = 64 * 1024
