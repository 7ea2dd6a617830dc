import { getMe, redeemToken } from '../api/account.ts'
import { ApiError } from '../api/request.ts'
import { signIn } from '../session/session.ts'

/** Signs in with the one-time token of a sign-in link. */
export async function signInByToken(token: string): Promise<void> {
  try {
    signIn(await redeemToken(token))
  } catch (error) {
    throw withMessage(error, 'This link has been used or is too old. A link works once, for 30 minutes.')
  }
}

/** Signs in with pasted text: an API key or a whole sign-in link. */
export async function signInByText(text: string): Promise<void> {
  const token = tokenInLink(text)
  if (token !== null) return signInByToken(token)
  try {
    await getMe({ key: text })
  } catch (error) {
    throw withMessage(error, 'Holdall doesn’t know this key. It may have been revoked, or have expired.')
  }
  signIn({ key: text })
}

/** Returns the token of a sign-in link, which is the fragment of the URL; null if the text is no such link. */
function tokenInLink(text: string): string | null {
  return URL.parse(text)?.hash.slice(1) || null
}

/** Replaces the message of an `UNAUTHORIZED` error. */
function withMessage(error: unknown, message: string): unknown {
  return error instanceof ApiError && error.code === 'UNAUTHORIZED'
    ? new ApiError(error.code, message)
    : error
}
