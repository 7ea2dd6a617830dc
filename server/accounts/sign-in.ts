import type { Tx } from '../db/open.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../time/clock.ts'
import type { AccountStore } from './account-store.ts'

/** Long enough to open the link on another device, short enough that a link in a terminal's history soon expires. */
const SIGN_IN_LINK_MS = 30 * 60_000

const TOKEN_BYTES = 32

export type SignIn = ReturnType<typeof openSignIn>

/** One-time sign-in links. Only the digest of a token is stored. */
export function openSignIn(accounts: AccountStore, clock: Clock) {
  return {
    /** Creates a token that signs the user in once, until `expiresAt` (milliseconds since the epoch), half an hour from now. */
    issueToken(userId: string): { token: string; expiresAt: number } {
      const token = Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString('base64url')
      const expiresAt = clock() + SIGN_IN_LINK_MS
      accounts.addSignInLink(userId, digestOf(token), expiresAt)
      return { token, expiresAt }
    },
    /**
     * Deletes the token and returns the result of `grant` for its user, in one transaction.
     * `UNAUTHORIZED` when the token was used, has expired or is unknown.
     * @param grant runs inside the transaction: without I/O. If it throws, the token stays valid
     */
    redeem<T>(token: string, grant: (tx: Tx, userId: string) => T): T {
      const at = clock()
      const granted = accounts.redeemSignInLink(digestOf(token), { at, latest: at + SIGN_IN_LINK_MS }, grant)
      if (granted === null) {
        throw new ServiceError(
          'UNAUTHORIZED',
          'This sign-in link was used, has expired or is unknown. Print a new one with `holdall sign-in-link`.',
        )
      }
      return granted
    },
  }
}

/** The page that redeems a token. The token is in the fragment, which browsers never send, so that no log contains it. */
export function signInUrl(origin: string, token: string): string {
  return `${origin}/sign-in#${token}`
}

function digestOf(token: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(token).digest()
}
