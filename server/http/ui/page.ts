import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SharePageParts } from '../downloads/shared-page.ts'
import { prefersHtml } from './negotiation.ts'

/** The two documents of the interface: one for those who have an account, and a small one for receivers of archives. */
export interface UiPage {
  respond(status?: number): Response
  /** The document for receivers, with what the service knows of an archive. */
  respondToReceiver(parts: SharePageParts): Response
  /**
   * The page for a person who navigates to a path that does not exist, or to a link that is wrong or has expired. Null when
   * the client is a program, which gets the error itself. A browser that navigates sends no key.
   */
  inPlaceOf(error: Response, request: Request): Response | null
}

/** @returns null when the interface was not built: a service that runs from source may have only the API */
export function openUiPage(dir: string): UiPage | null {
  const path = join(dir, 'index.html')
  if (!existsSync(path)) return null
  const main = readFileSync(path, 'utf8')
  const forReceivers = readFileSync(join(dir, 'share.html'), 'utf8')

  return {
    respond: (status = 200) => htmlResponse(main, status, status === 200 ? 'no-cache' : 'no-store'),
    respondToReceiver({ head, withoutScript }) {
      const page = forReceivers
        .replace(TITLE, () => head.text)
        .replace(NO_SCRIPT, () => `<noscript>${withoutScript.text}</noscript>`)
      return htmlResponse(page, 200, 'no-store')
    },
    inPlaceOf({ status }, { method, headers, url }) {
      const isNavigation =
        (method === 'GET' || method === 'HEAD') && !headers.has('authorization') && !headers.has('x-api-key')
      const hasPage = status === 403 || status === 404
      if (!isNavigation || !hasPage || !prefersHtml(headers.get('accept'))) return null
      return htmlResponse(RECEIVER_PATH.test(new URL(url).pathname) ? forReceivers : main, status, 'no-store')
    },
  }
}

function htmlResponse(page: string, status: number, cacheControl: 'no-cache' | 'no-store'): Response {
  return new Response(page, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl, vary: 'accept' },
  })
}

const TITLE = /<title>.*?<\/title>/s
const NO_SCRIPT = /<noscript>.*?<\/noscript>/s
/** Of links to an archive. */
const RECEIVER_PATH = /^\/(?:share|download)\//
