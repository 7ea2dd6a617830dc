/** The part of a storage that the interface uses. */
type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** localStorage. If the browser blocks it, values are kept in memory, until the page is closed. */
export const browserStorage = ifAllowed(() => localStorage) ?? memoryStorage()

/** sessionStorage, which each tab has for itself and keeps when it is reloaded. */
export const tabStorage = ifAllowed(() => sessionStorage) ?? memoryStorage()

/** With cookies blocked, browsers throw as soon as a page reads its storage. */
function ifAllowed(storage: () => BrowserStorage): BrowserStorage | null {
  try {
    return storage()
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
