import { VERIFIED_TLS } from '../fetching/verified-tls.ts'
import { StoreError, storeErrorOf } from './store-error.ts'

/**
 * Sends a request to the archive store once. Neither the address guard nor a proxy of the environment applies: the administrator has named
 * the store.
 * @returns the response, when it is a success
 * @throws StoreError when it is not; the reason of `signal` when it is aborted
 */
export async function sendToStore(
  url: string,
  init: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers(init.headers)
  // Not signed: some stores stand behind a proxy that changes it.
  headers.set('accept-encoding', 'identity')
  const response = await fromStore(signal, () =>
    fetch(url, {
      ...init,
      headers,
      redirect: 'manual',
      decompress: false,
      proxy: false,
      tls: VERIFIED_TLS,
      signal,
    }),
  )
  if (!response.ok) throw await storeErrorOf(response)
  return response
}

/** Replaces errors of the network, which contain the address. @throws the reason of `signal` when it is aborted */
export async function fromStore<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch {
    signal.throwIfAborted()
    throw new StoreError(null)
  }
}
