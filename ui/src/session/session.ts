import { createSignal } from 'solid-js'

const STORAGE_KEY = 'holdall.key'
const [key, setKey] = createSignal(localStorage.getItem(STORAGE_KEY))
const [hasExpired, setExpired] = createSignal(false)

// Signing in or out in one tab does so in all.
addEventListener('storage', (event) => {
  if (event.key === STORAGE_KEY || event.key === null) setKey(localStorage.getItem(STORAGE_KEY))
})

/** This browser's API key, kept until it is signed out or the key stops working. */
export const session = {
  key,
  /** True when the last key stopped working by itself. */
  hasExpired,
  begin(newKey: string): void {
    localStorage.setItem(STORAGE_KEY, newKey)
    setExpired(false)
    setKey(newKey)
  },
  end(): void {
    localStorage.removeItem(STORAGE_KEY)
    setKey(null)
  },
  expire(): void {
    session.end()
    setExpired(true)
  },
}
