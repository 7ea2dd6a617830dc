/** The first bytes of a file of an archive. */
export interface Beginning {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Whether more follow. */
  readonly isCut: boolean
}

/** @throws if the file can't be fetched */
export async function readBeginning(url: string, maxBytes: number, signal: AbortSignal): Promise<Beginning> {
  const response = await fetch(url, { signal })
  if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`)
  const reader = response.body.getReader()
  const bytes = new Uint8Array(maxBytes)
  let length = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return { bytes: bytes.subarray(0, length), isCut: false }
    const fits = value.subarray(0, maxBytes - length)
    bytes.set(fits, length)
    length += fits.length
    if (fits.length < value.length) {
      await reader.cancel()
      return { bytes, isCut: true }
    }
  }
}
