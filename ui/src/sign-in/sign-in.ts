import { getMe, redeemToken, revokeBrowserKey } from '../api/account.ts'
import { ApiError } from '../api/request.ts'
import { signInCopy } from '../language/english/sign-in.ts'
import { browserKey, sessionKey, signIn } from '../session/session.ts'

/** Whether the fragment of a URL is the token of a sign-in link. */
export function isToken(fragment: string): boolean {
  return TOKEN.test(fragment)
}

/** The name of the signed-in user; null when nobody is signed in, or the service no longer accepts the key. */
export async function signedInName(): Promise<string | null> {
  if (sessionKey() === null) return null
  try {
    return (await getMe()).user.name
  } catch (error) {
    // The session has ended.
    if (sessionKey() === null) return null
    throw error
  }
}

/**
 * Signs in with the one-time token of a sign-in link. Whoever was signed in in this browser is signed out: any web page can open
 * such a link, so that has to be asked for first.
 */
export async function signInByToken(token: string): Promise<void> {
  const replaced = browserKey()
  try {
    signIn(await redeemToken(token))
  } catch (error) {
    throw withMessage(error, signInCopy.usedLink)
  }
  if (replaced !== null) void revokeBrowserKey(replaced).catch(() => {})
}

/** Signs in with pasted text: an API key or a whole sign-in link. */
export async function signInByText(text: string): Promise<void> {
  const token = tokenInLink(text)
  if (token !== null) return signInByToken(token)
  try {
    await getMe({ key: text })
  } catch (error) {
    throw withMessage(error, signInCopy.unknownKey)
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

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/
