import { readLines } from '../../../server/client/read-lines.ts'
import { fetchResponse, request } from './request.ts'
import type { PageLinks, ProbeResult } from './types.ts'

/** Returns the links of a page. @param folders whether the folders of a listing are read, too */
export function fetchPageLinks(url: string, folders: boolean, signal: AbortSignal): Promise<PageLinks> {
  return request('POST', '/links', { body: { url, folders }, signal })
}

/** Yields what each link would bring, as it becomes known. Ends early when the signal aborts. */
export function probeLinks(
  files: readonly { readonly url: string; readonly filename: string | null }[],
  signal: AbortSignal,
): AsyncGenerator<ProbeResult, void> {
  return readLines((closed) =>
    fetchResponse('POST', '/probe', {
      body: { files },
      accept: 'application/x-ndjson',
      signal: AbortSignal.any([signal, closed]),
    }),
  )
}
