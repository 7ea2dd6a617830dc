import { AwsV4Signer } from 'aws4fetch'
import { AbortTimer } from './abort-timer.ts'
import { bodyUpTo } from './response-body.ts'
import type { StoreAccess } from './store-access.ts'
import { StoreError, TOO_LONG } from './store-error.ts'
import { fromStore, sendToStore } from './store-request.ts'
import { StoreRetries } from './store-retries.ts'

/** A request to the bucket of an archive store. */
export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The name of an object without the prefix; null for the bucket itself. */
  readonly object: string | null
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | string
  /** For the whole response, if `text` reads it. */
  readonly timeoutMs?: number
}

/** Sends requests to the bucket of an archive store. */
export interface Bucket {
  /**
   * Sends a request once.
   * @returns the response, when it is a success
   * @throws StoreError when it is not; the reason of `signal` when it is aborted
   */
  send(request: BucketRequest, signal: AbortSignal): Promise<Response>
  /** The same, with the whole body as text. Repeats the request when the store does not respond or fails. */
  text(request: BucketRequest, signal: AbortSignal): Promise<{ body: string; headers: Headers }>
  /** A link by which anyone can send a request for so long. Sends nothing. */
  link(request: Pick<BucketRequest, 'method' | 'object' | 'query'>, lifetimeSeconds: number): Promise<string>
}

export function openBucket(access: StoreAccess): Bucket {
  async function send(request: BucketRequest, signal: AbortSignal): Promise<Response> {
    const { method, body = null } = request
    const { url, headers } = await sign(request, 'headers')
    return await sendToStore(url.href, { method, headers, body }, signal)
  }

  /**
   * Signs a request with AWS Signature Version 4. The body is not part of the signature: parts carry `Content-MD5`.
   * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
   * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
   */
  function sign({ method, object, query = {}, headers = {} }: BucketRequest, by: 'headers' | 'query') {
    const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey, sessionToken } = access
    const url = new URL(object === null ? bucket : `${bucket}/${prefix}${object}`, endpoint)
    url.search = new URLSearchParams(query).toString()
    return new AwsV4Signer({
      method,
      url: url.href,
      headers,
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === null ? {} : { sessionToken }),
      signQuery: by === 'query',
    }).sign()
  }

  return {
    send,
    async link({ query, ...request }, lifetimeSeconds) {
      const expiring = { ...query, 'X-Amz-Expires': String(lifetimeSeconds) }
      const { url } = await sign({ ...request, query: expiring }, 'query')
      // AWS and others sign a space as %20. Not all of them read a plus sign as one.
      url.search = url.search.replaceAll('+', '%20')
      return url.href
    },
    async text(request, signal) {
      const retries = new StoreRetries()
      for (;;) {
        try {
          return await whole(request, signal)
        } catch (error) {
          await retries.waitAfter(error, signal)
        }
      }
    },
  }

  /** When the time is over, the request fails with the StoreError of a store that does not respond. */
  async function whole(request: BucketRequest, signal: AbortSignal) {
    using timer = new AbortTimer(signal)
    timer.restart(request.timeoutMs ?? TIMEOUT_MS)
    const response = await send(request, timer.signal)
    const bytes = await fromStore(timer.signal, () => bodyUpTo(response, MAX_DOCUMENT_BYTES))
    if (bytes === null) throw new StoreError(response.status, TOO_LONG)
    return { body: new TextDecoder().decode(bytes), headers: response.headers }
  }
}

/** For requests without a body. Others set their own. */
const TIMEOUT_MS = 30_000
/** A list has at most 1,000 uploads or parts, of some 1,000 bytes each. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
