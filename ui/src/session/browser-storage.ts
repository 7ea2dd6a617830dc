/** The part of localStorage that the interface uses. */
type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** localStorage. If the browser blocks it, values are kept in memory, until the page is closed. */
export const browserStorage: BrowserStorage = localStorageIfAllowed() ?? memoryStorage()

/** With cookies blocked, browsers throw as soon as a page reads `localStorage`. */
function localStorageIfAllowed(): BrowserStorage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}

function memoryStorage(): BrowserStorage {
  const values = new Map<string, string>()
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => values.set(name, value),
    removeItem: (name) => values.delete(name),
  }
}
