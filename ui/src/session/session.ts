import { createSignal } from 'solid-js'

/** Where this browser's key lies; every tab of it shares the place. */
const STORAGE_NAME = 'holdall.key'

const [sessionKey, setSessionKey] = createSignal(localStorage.getItem(STORAGE_NAME))
const [expired, setExpired] = createSignal(false)

/** The API key that is signed in, or null. */
/** Whether the session ended because the service no longer takes its key. */
export { expired as sessionExpired, sessionKey }

export function signIn(key: string): void {
  localStorage.setItem(STORAGE_NAME, key)
  setExpired(false)
  setSessionKey(key)
}

/** Forgets the key. */
export function signOut(): void {
  localStorage.removeItem(STORAGE_NAME)
  setSessionKey(null)
}

/** The service refused the key: sign-in says so. */
export function expireSession(): void {
  setExpired(true)
  signOut()
}

// Signing in or out in one tab does so in all.
addEventListener('storage', (event) => {
  if (event.key === STORAGE_NAME || event.key === null) setSessionKey(localStorage.getItem(STORAGE_NAME))
})
