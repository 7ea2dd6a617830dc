import { ServiceError } from '../errors.ts'
import type { Clock } from '../time/clock.ts'
import type { AccountStore } from './account-store.ts'

/** Long enough to walk to another screen, short enough that a link in a scrollback is soon worthless. */
export const SIGN_IN_LINK_MS = 30 * 60_000

const TOKEN_BYTES = 32

export type SignIn = ReturnType<typeof openSignIn>

/** One-time sign-in links: only the digest of a token is kept. */
export function openSignIn(accounts: AccountStore, clock: Clock) {
  return {
    /** The token of a fresh link for the user, good once within half an hour. */
    issueToken(userId: string): string {
      const token = Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString('base64url')
      accounts.addSignInLink(userId, digestOf(token), clock() + SIGN_IN_LINK_MS)
      return token
    },
    /**
     * Uses the token up for what its user gets for it, both or neither, also when the service dies in the middle.
     * `UNAUTHORIZED` when it is used, expired or unknown.
     * @param give makes it, without I/O, and may throw
     */
    redeem<T>(token: string, give: (userId: string) => T): T {
      const at = clock()
      const given = accounts.takeSignInLink(digestOf(token), { at, latest: at + SIGN_IN_LINK_MS }, give)
      if (given === null) {
        throw new ServiceError(
          'UNAUTHORIZED',
          'This sign-in link is used up, expired or unknown. Print a new one with `holdall sign-in-link`.',
        )
      }
      return given
    },
  }
}

/** The page that takes a token. It stands in the fragment, which browsers send to no server and no log. */
export function signInLink(origin: string, token: string): string {
  return `${origin}/sign-in#${token}`
}

function digestOf(token: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(token).digest()
}
