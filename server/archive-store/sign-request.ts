import type { StoreAccess } from './store-access.ts'

/** A request to the store before it is signed. */
export interface UnsignedRequest {
  readonly method: string
  /** The name of an object; null for the bucket. */
  readonly object: string | null
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Signs a request with AWS Signature Version 4. The body is not part of the signature: parts carry `Content-MD5`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 * @param now milliseconds since the epoch; a store refuses a time that differs by 15 minutes
 */
export function signRequest(access: StoreAccess, request: UnsignedRequest, now: number): SignedRequest {
  const { endpoint, region, bucket, accessKeyId, sessionToken } = access
  const time = new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, '')
  const path = `/${[bucket, ...(request.object?.split('/') ?? [])].map(encode).join('/')}`
  const query = Object.entries(request.query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const headers: Record<string, string> = {
    ...request.headers,
    host: new URL(endpoint).host,
    'x-amz-content-sha256': UNSIGNED_BODY,
    'x-amz-date': time,
    ...(sessionToken === null ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(headers).toSorted()
  const signedNames = names.join(';')
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`)
  const canonical = [request.method, path, query, lines.join(''), signedNames, UNSIGNED_BODY].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const text = [ALGORITHM, time, scope, new Bun.CryptoHasher('sha256').update(canonical).digest('hex')].join(
    '\n',
  )
  const signature = hmac(signingKey(access, scope), text).toString('hex')
  const credential = `${accessKeyId}/${scope}`
  return {
    url: `${endpoint}${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...headers,
      authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${signedNames}, Signature=${signature}`,
    },
  }
}

function signingKey({ secretAccessKey }: StoreAccess, scope: string): Buffer {
  return scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`))
}

function hmac(key: Buffer, text: string): Buffer {
  return new Bun.CryptoHasher('sha256', key).update(text).digest()
}

/** RFC 3986: also what `encodeURIComponent` leaves as it is. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const UNSIGNED_BODY = 'UNSIGNED-PAYLOAD'
