import { bodyUpTo } from './response-body.ts'

/**
 * A request to the archive store that failed. The message tells the administrator what to do, and never contains an address,
 * a name or a secret.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** The HTTP status; null when there was no response. */
  readonly status: number | null
  /** The code of the store's error document, such as `NoSuchKey`; '' when there was none. */
  readonly code: string

  constructor(status: number | null, code = '') {
    super(messageOf(status, code))
    this.status = status
    this.code = code
  }

  /** The object does not exist. */
  get isMissing(): boolean {
    return this.status === 404 && this.code !== 'NoSuchBucket'
  }
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof StoreError)) return false
  return error.status === null || error.status >= 500 || error.status === 408 || error.status === 429
}

/** The error of a response that is not a success. Reads its body. */
export async function storeErrorOf(response: Response): Promise<StoreError> {
  const bytes = await bodyUpTo(response, MAX_ERROR_BYTES).catch(() => null)
  return new StoreError(response.status, bytes === null ? '' : errorCodeIn(new TextDecoder().decode(bytes)))
}

/** The code in an error document; '' when the text is none. */
export function errorCodeIn(xml: string): string {
  // In linear time: one expression for both elements would search to the end from each <Error>.
  const start = xml.indexOf('<Error>')
  return start < 0 ? '' : (/<Code>(\w{1,64})<\/Code>/.exec(xml.slice(start))?.[1] ?? '')
}

function messageOf(status: number | null, code: string): string {
  if (status === null) return 'The archive store does not respond.'
  const reply = `${status}${code === '' ? '' : ` ${code}`}`
  return `${REASONS.get(code) ?? reasonOf(status)} (${reply})`
}

function reasonOf(status: number): string {
  if (status === 401 || status === 403)
    return 'The archive store refuses the credentials. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what they permit.'
  if (status === 404) return 'The archive store does not have the object or the bucket.'
  if (status >= 300 && status < 400)
    return 'The archive store redirects. Check AWS_REGION and the endpoint of the bucket.'
  return 'The archive store has failed.'
}

/** Our own code, for a response that is longer than what was asked for. */
export const TOO_LONG = 'ResponseTooLong'

/** By code, which the store chooses. */
const REASONS: ReadonlyMap<string, string> = new Map([
  [TOO_LONG, 'The archive store sends more than was asked for.'],
  ['NoSuchBucket', 'The bucket of the archive store does not exist.'],
  ['RequestTimeTooSkewed', 'The clock of this machine differs from the clock of the archive store.'],
  ['AuthorizationHeaderMalformed', 'The archive store expects another region. Check AWS_REGION.'],
])

/** An error document is a few hundred bytes long. */
const MAX_ERROR_BYTES = 64 * 1024
