import type { AddressGuard } from '../fetching/addresses/guard.ts'
import type { FetchContext } from '../fetching/fetch-url.ts'

type Resolver = FetchContext['resolver']

/**
 * The host that the user typed needs no permission. One that it redirects to does, as any other, and so do private addresses of a name
 * that has had public ones: else whoever has the name could lead this command into the network that it runs in.
 * @param typed the host of the link, as in `URL.hostname`
 * @param open allows every address
 * @param guarded allows what `guard` does
 */
export function linkResolver(
  typed: string,
  guard: Pick<AddressGuard, 'checkAll'>,
  { open, guarded }: { readonly open: Resolver; readonly guarded: Resolver },
): Resolver {
  let isPublic = false
  const of = (hostname: string) => (hostname === typed && !isPublic ? open : guarded)
  return {
    async resolve(hostname, port) {
      const addresses = await of(hostname).resolve(hostname, port)
      if (hostname === typed) isPublic ||= guard.checkAll(addresses, port) === 'allowed'
      return addresses
    },
    assertNotRefused: (hostname, port) => of(hostname).assertNotRefused(hostname, port),
  }
}
