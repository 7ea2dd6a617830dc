/** The value of a JSON text; undefined, which JSON can't express, for anything else. For texts that may be damaged. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
