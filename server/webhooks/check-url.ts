import { ServiceError } from '../errors.ts'
import { createAddressGuard } from '../fetching/addresses/guard.ts'
import { localAddresses } from '../fetching/addresses/local-addresses.ts'
import { bareHostname } from '../fetching/request.ts'
import { isAddress, parseSourceUrl } from '../fetching/source-url.ts'

/**
 * Refuses the URL of a new webhook to which no attempt could ever be made. A name is not resolved: each attempt checks the
 * addresses that it has at that time, and the service's own port.
 * @param allowedNetworks CIDR notation, as given to `--allow-network`
 * @returns a function that throws ServiceError `INVALID_REQUEST`
 */
export function openWebhookUrlCheck(allowedNetworks: readonly string[]): (text: string) => void {
  const guard = createAddressGuard({ allowedNetworks, ownPort: null }, localAddresses)
  const allowsNetworks = allowedNetworks.length > 0

  return (text) => {
    const url = parseSourceUrl(text)
    const host = bareHostname(url)
    const hasAddress = isAddress(url)
    if (hasAddress && guard.check(host, url.port) === 'refused')
      throw refused('must not lead to a private network')
    if (url.scheme === 'https') return
    const mayLackTls = hasAddress ? guard.isListed(host) : allowsNetworks
    if (!mayLackTls) throw refused('must be an https URL')
  }
}

function refused(message: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', `url ${message}.`, [{ path: 'url', message }])
}
