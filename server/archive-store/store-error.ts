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

/** The error of a response that is not a success. Reads its body. */
export async function storeErrorOf(response: Response): Promise<StoreError> {
  return new StoreError(response.status, errorCodeIn(await response.text().catch(() => '')))
}

/** The code in an error document; '' when the text is none. */
export function errorCodeIn(xml: string): string {
  return /<Error>.*?<Code>(\w{1,64})<\/Code>/s.exec(xml)?.[1] ?? ''
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

/** By code, which the store chooses. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'The bucket of the archive store does not exist.'],
  ['RequestTimeTooSkewed', 'The clock of this machine differs from the clock of the archive store.'],
  ['AuthorizationHeaderMalformed', 'The archive store expects another region. Check AWS_REGION.'],
])
