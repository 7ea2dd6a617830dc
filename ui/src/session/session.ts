import { createSignal } from 'solid-js'

/** Where this browser's key lies; every tab of it shares the place. */
const KEY_NAME = 'holdall.key'
/** Its id, where the service told it: a key that was pasted is the secret alone. */
const KEY_ID_NAME = 'holdall.key-id'

const [sessionKey, setSessionKey] = createSignal(localStorage.getItem(KEY_NAME))
const [expired, setExpired] = createSignal(false)

/** The API key that is signed in, or null; and whether the session ended because the service refused its key. */
export { expired as sessionExpired, sessionKey }

/** The id of the key that is signed in, null where it is not known. */
export function sessionKeyId(): string | null {
  return localStorage.getItem(KEY_ID_NAME)
}

export function signIn({ key, id }: { key: string; id?: string }): void {
  if (id === undefined) localStorage.removeItem(KEY_ID_NAME)
  else localStorage.setItem(KEY_ID_NAME, id)
  localStorage.setItem(KEY_NAME, key)
  setExpired(false)
  setSessionKey(key)
}

/** Forgets the key. */
export function signOut(): void {
  localStorage.removeItem(KEY_NAME)
  localStorage.removeItem(KEY_ID_NAME)
  setSessionKey(null)
}

/** The service refused the key: sign-in says so. */
export function expireSession(): void {
  setExpired(true)
  signOut()
}

// Signing in or out in one tab does so in all.
addEventListener('storage', (event) => {
  if (event.key === KEY_NAME || event.key === null) setSessionKey(localStorage.getItem(KEY_NAME))
})
