import { type Http1Client, Http1Failure, type Http1Request } from '../../../server/fetching/http1/client.ts'

/** Sends a GET request to `127.0.0.1:PORT` and reads the body as Latin-1. */
export async function requestOnce(client: Http1Client, host: string, changes: RequestChanges = {}) {
  const { target = '/', isSecure = false, serverName = 'source.test', method = 'GET', ...others } = changes
  const port = Number(host.split(':').at(-1))
  const response = await client.request({
    origin: { isSecure, serverName, port, addresses: ['127.0.0.1'] },
    head: { method, target, headers: [['Host', serverName]] },
    signal: new AbortController().signal,
    ...others,
  })
  const { status, headers } = response
  const pieces = await Array.fromAsync(response)
  return { status, headers, body: Buffer.concat(pieces).toString('latin1'), pieces, response }
}

export interface RequestChanges extends Partial<Omit<Http1Request, 'origin' | 'head'>> {
  readonly target?: string
  readonly isSecure?: boolean
  readonly serverName?: string
  readonly method?: 'GET' | 'HEAD'
}

/** The body, or the reason of the failure. */
export async function outcome(client: Http1Client, host: string, changes?: RequestChanges): Promise<string> {
  try {
    return (await requestOnce(client, host, changes)).body
  } catch (error) {
    if (error instanceof Http1Failure) return `failed: ${error.reason}`
    throw error
  }
}
