import { errorOf, unreachable, unreadable } from './holdall-error.ts'

/**
 * Sends a request and returns its response.
 * @throws HoldallError if the service can't be reached or refuses the request
 */
export async function fetchResponse(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((error) => {
    init.signal?.throwIfAborted()
    throw unreachable(error)
  })
  if (response.ok) return response
  const error = await errorOf(response)
  init.signal?.throwIfAborted()
  throw error
}

/** Reads the JSON body of a response. @throws HoldallError `UNREADABLE` */
export async function readJsonBody<T>(response: Response, signal: AbortSignal | undefined): Promise<T> {
  try {
    return JSON.parse(await response.text())
  } catch (error) {
    signal?.throwIfAborted()
    throw unreadable(response.status, error)
  }
}
