import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Html } from '../html.ts'
import { prefersHtml } from './negotiation.ts'

/** The one page of the interface, whose script shows what belongs to its path. */
export interface UiPage {
  /** @param withoutScript what a browser without scripts shows */
  respond(status?: number, withoutScript?: Html): Response
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
  const text = readFileSync(path, 'utf8')

  const respond: UiPage['respond'] = (status = 200, withoutScript = undefined) => {
    const page =
      withoutScript === undefined
        ? text
        : text.replace(NO_SCRIPT, () => `<noscript>${withoutScript.text}</noscript>`)
    const cacheControl = status === 200 && withoutScript === undefined ? 'no-cache' : 'no-store'
    return new Response(page, {
      status,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl, vary: 'accept' },
    })
  }
  return {
    respond,
    inPlaceOf({ status }, { method, headers }) {
      const isNavigation =
        (method === 'GET' || method === 'HEAD') && !headers.has('authorization') && !headers.has('x-api-key')
      const hasPage = status === 403 || status === 404
      return isNavigation && hasPage && prefersHtml(headers.get('accept')) ? respond(status) : null
    },
  }
}

const NO_SCRIPT = /<noscript>.*?<\/noscript>/s
