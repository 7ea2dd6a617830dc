/** Where the archive store is: an address such as `s3://bucket/prefix`. */
export interface StoreAddress {
  readonly bucket: string
  /** Ends with a slash, or is empty. The name of every object begins with it. */
  readonly prefix: string
}

/** Everything that a request to the archive store needs. It holds a secret: no response and no log may show it. */
export interface StoreAccess extends StoreAddress {
  /** The origin of the store, as in `https://s3.eu-west-1.amazonaws.com`. The bucket is the first part of each path. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials; null for lasting ones. */
  readonly sessionToken: string | null
}

/** `s3://BUCKET` or `s3://BUCKET/PREFIX`. Null for any other text, and for names that not every store accepts. */
export function parseStoreAddress(text: string): StoreAddress | null {
  const [, bucket, prefix = ''] = ADDRESS.exec(text) ?? []
  if (bucket === undefined || prefix.length > MAX_PREFIX_LENGTH) return null
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}

/**
 * The access to a store with the variables that every S3 tool takes: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 * `AWS_SESSION_TOKEN` and `AWS_REGION`.
 * @param endpoint null for AWS
 * @returns null when the credentials are missing
 */
export function storeAccessOf(
  address: StoreAddress,
  endpoint: string | null,
  env: Readonly<Record<string, string | undefined>>,
): StoreAccess | null {
  const accessKeyId = env.AWS_ACCESS_KEY_ID || null
  const secretAccessKey = env.AWS_SECRET_ACCESS_KEY || null
  if (accessKeyId === null || secretAccessKey === null) return null
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'
  return {
    ...address,
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: env.AWS_SESSION_TOKEN || null,
  }
}

/** The variables that name the access to a store, and the store itself (`AWS_ENDPOINT_URL`). */
export const STORE_VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ENDPOINT_URL',
] as const

/** The origin of an http or https URL without a path; null for another text. */
export function parseEndpoint(text: string): string | null {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin ? url.origin : null
}

/** Bucket names as AWS defines them. Prefixes of plain characters, which no program encodes in different ways. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w.-]+\/)*[\w.-]+)?\/?)?$/

/** The name of an object has at most 1,024 bytes. */
const MAX_PREFIX_LENGTH = 900
