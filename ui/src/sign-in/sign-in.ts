import { getMe, redeemToken } from '../api/account.ts'
import { ApiError } from '../api/request.ts'
import { signIn } from '../session/session.ts'

/** Signs in with the one-time token of a link. */
export async function signInByToken(token: string): Promise<void> {
  try {
    signIn(await redeemToken(token))
  } catch (error) {
    throw inWords(error, 'This link has been used or is too old. A link works once, for 30 minutes.')
  }
}

/** Signs in with what was pasted: an API key, or a whole sign-in link. */
export async function signInByText(text: string): Promise<void> {
  const token = tokenOf(text)
  if (token !== null) return signInByToken(token)
  try {
    await getMe({ key: text })
  } catch (error) {
    throw inWords(error, 'Holdall doesn’t know this key. It may have been revoked, or have expired.')
  }
  signIn({ key: text })
}

/** The token of a sign-in link, which is its fragment. */
function tokenOf(text: string): string | null {
  return URL.parse(text)?.hash.slice(1) || null
}

function inWords(error: unknown, refusal: string): unknown {
  return error instanceof ApiError && error.code === 'UNAUTHORIZED'
    ? new ApiError(error.code, refusal)
    : error
}
