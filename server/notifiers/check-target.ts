import { invalidField, ServiceError } from '../errors.ts'
import { createAddressGuard } from '../fetching/addresses/guard.ts'
import { localAddresses } from '../fetching/addresses/local-addresses.ts'
import { bareHostname } from '../fetching/request.ts'
import { isAddress, parseSourceUrl } from '../fetching/source-url.ts'
import type { NotifierKind } from '../vocabulary.ts'

/**
 * Refuses the target of a notifier to which no attempt could ever be made. The name in a URL is not resolved: each attempt checks
 * the addresses that it has at that time, and the service's own port.
 * @throws ServiceError `INVALID_REQUEST`
 */
export type CheckTarget = (kind: NotifierKind, target: string) => void

/** What the settings allow at a time. */
export interface AllowedTargets {
  /** CIDR notation, as given to `--allow-network`. */
  readonly allowNetworks: readonly string[]
  /** Null when no mail is sent. */
  readonly smtp: object | null
}

export function openTargetCheck(allowed: () => AllowedTargets): CheckTarget {
  function checkUrl(text: string): void {
    const { allowNetworks } = allowed()
    const guard = createAddressGuard({ allowedNetworks: allowNetworks, ownPort: null }, localAddresses)
    const url = parseSourceUrl(text)
    const host = bareHostname(url)
    const hasAddress = isAddress(url)
    if (hasAddress && guard.check(host, url.port) === 'refused')
      throw invalidField('url', 'must not lead to a private network')
    if (url.scheme === 'https') return
    const mayLackTls = hasAddress ? guard.isListed(host) : allowNetworks.length > 0
    if (!mayLackTls) throw invalidField('url', 'must be an https URL')
  }

  return (kind, target) => {
    if (kind !== 'email') return checkUrl(target)
    if (allowed().smtp !== null) return
    const message = 'This service sends no e-mail. Its owner can name a mail server in the settings.'
    throw new ServiceError('INVALID_REQUEST', message, [
      { path: 'kind', message: 'must be another one: this service has no mail server' },
    ])
  }
}
