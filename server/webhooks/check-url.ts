import { ServiceError } from '../errors.ts'
import type { AddressGuard } from '../fetching/addresses/guard.ts'
import { bareHostname, isAddress } from '../fetching/request.ts'
import { parseSourceUrl } from '../fetching/source-url.ts'

/**
 * Refuses a URL of a new webhook to which no attempt could ever be made. A name is not resolved: each attempt checks the
 * addresses that it has at that time.
 * @throws ServiceError `INVALID_REQUEST`
 */
export function checkWebhookUrl(text: string, guard: AddressGuard, allowsNetworks: boolean): void {
  const url = parseSourceUrl(text)
  const host = bareHostname(url)
  const hasAddress = isAddress(url)
  if (hasAddress && guard.check(host, url.port) === 'refused')
    throw refused('must not lead to a private network')
  if (url.scheme === 'https') return
  const mayLackTls = hasAddress ? guard.isListed(host) : allowsNetworks
  if (!mayLackTls) throw refused('must be an https URL')
}

function refused(message: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', `url ${message}.`, [{ path: 'url', message }])
}
