import { createSignal } from 'solid-js'
import { browserStorage } from './browser-storage.ts'

/** The localStorage entry that holds this browser's key. All tabs share it. */
const KEY_STORAGE_NAME = 'holdall.key'
/** Holds the id of that key, if it is known: a pasted key comes without its id. */
const KEY_ID_STORAGE_NAME = 'holdall.key-id'

const [sessionKey, setSessionKey] = createSignal(browserStorage.getItem(KEY_STORAGE_NAME))
const [expired, setExpired] = createSignal(false)

/** The signed-in API key or null, and whether the last session ended because the service refused its key. */
export { expired as sessionExpired, sessionKey }

/** Returns the id of the signed-in key; null if it is unknown. */
export function sessionKeyId(): string | null {
  return browserStorage.getItem(KEY_ID_STORAGE_NAME)
}

/** Returns the signed-in key if it belongs to this browser; null if it was pasted, because a program may use it, too. */
export function browserKey(): string | null {
  return sessionKeyId() === null ? null : sessionKey()
}

export function signIn({ key, id }: { key: string; id?: string }): void {
  if (id === undefined) browserStorage.removeItem(KEY_ID_STORAGE_NAME)
  else browserStorage.setItem(KEY_ID_STORAGE_NAME, id)
  browserStorage.setItem(KEY_STORAGE_NAME, key)
  setExpired(false)
  setSessionKey(key)
}

export function signOut(): void {
  browserStorage.removeItem(KEY_STORAGE_NAME)
  browserStorage.removeItem(KEY_ID_STORAGE_NAME)
  setSessionKey(null)
}

/** Signs out because the service refused the key. The sign-in page then says so. */
export function expireSession(): void {
  setExpired(true)
  signOut()
}

// Signing in or out in one tab applies to all tabs.
addEventListener('storage', (event) => {
  if (event.key === KEY_STORAGE_NAME || event.key === null)
    setSessionKey(browserStorage.getItem(KEY_STORAGE_NAME))
})
