import { Elysia } from 'elysia'
import tokens from '../../../ui/src/styles/tokens.css' with { type: 'text' }
import { notFound } from '../error-responses.ts'
import { operation } from '../operation.ts'
import { qualityValues } from '../ui/negotiation.ts'
import callsScript from './calls.js' with { type: 'text' }
import icon from './icon.svg' with { type: 'text' }
import { movingPage } from './moving-page.ts'
import { type DocumentedRoute, type OpenapiDocument, openapiDocument } from './openapi.ts'
import { errorsPage } from './reference/errors-page.ts'
import { operationsPage, schemasPage } from './reference/operation-pages.ts'
import { overviewPage } from './reference/overview-page.ts'
import { pathOfTag, withOperationLinks } from './reference/parts.ts'
import { settingsPage } from './reference/settings-page.ts'
import stylesheet from './reference.css' with { type: 'text' }
import searchScript from './search.js' with { type: 'text' }
import { searchIndex } from './search-index.ts'
import { serverPage } from './server-page.ts'
import { startPage } from './start-page.ts'
import { usingPage } from './using-page.ts'

/**
 * `GET /openapi.json`, and pages for people: `GET /docs` and below. They load nothing from other origins, and each is made
 * when it is asked for, so that a start costs nothing.
 */
export function referenceRoutes(otherRoutes: readonly DocumentedRoute[]) {
  const app = new Elysia().get(
    '/openapi.json',
    () => Response.json(getDocument(), { headers: CACHE_HEADERS }),
    {
      detail: operation({
        tag: 'Service',
        id: 'getOpenapi',
        summary: 'Get the OpenAPI document',
        description: 'What the pages of the documentation are made of.',
        isOpen: true,
        success: { 200: { description: 'OpenAPI 3.1.', mediaType: 'application/json' } },
      }),
    },
  )
  // A copy of the list, since routes that do not belong in the document are added later.
  const routes = [...otherRoutes, ...app.routes]
  let document: OpenapiDocument | undefined
  const getDocument = (): OpenapiDocument => (document ??= openapiDocument(routes))
  let compressedIndex: Uint8Array<ArrayBuffer> | undefined
  const getCompressedIndex = () => (compressedIndex ??= Bun.gzipSync(indexOf(getDocument())))
  const respond = (path: string): Response => {
    const page = pagesOf(getDocument()).get(path)
    if (page === undefined) throw notFound()
    return textResponse(page(), 'text/html')
  }
  app
    .get('/docs', () => respond('/docs'))
    .get('/docs/:page', ({ params: { page } }) => ASSETS.get(page)?.() ?? respond(`/docs/${page}`))
    .get('/docs/reference/:part', ({ params: { part } }) => respond(`/docs/reference/${part}`))
    .get('/docs/search.json', ({ request }) => {
      const accepted = qualityValues(request.headers.get('accept-encoding') ?? '')
      const isCompressed = (accepted.get('gzip') ?? 0) > 0
      const body = isCompressed ? getCompressedIndex() : indexOf(getDocument())
      return new Response(body, {
        headers: {
          ...CACHE_HEADERS,
          'content-type': 'application/json; charset=utf-8',
          vary: 'accept-encoding',
          ...(isCompressed && { 'content-encoding': 'gzip' }),
        },
      })
    })
  return app
}

/** Takes some 20 ms and gives 230 kB, 35 when compressed, so it is kept in that form once somebody has searched. */
function indexOf(document: OpenapiDocument): string {
  return searchIndex(new Map([...pagesOf(document)].map(([path, page]) => [path, page()])))
}

/** How each page is made, by its path. */
function pagesOf(document: OpenapiDocument): ReadonlyMap<string, () => string> {
  return new Map([
    ['/docs', () => withOperationLinks(startPage(document), document)],
    ['/docs/reference', () => overviewPage(document)],
    ...document.tags.map(({ name }) => [pathOfTag(name), () => operationsPage(document, name)] as const),
    ['/docs/reference/schemas', () => schemasPage(document)],
    ['/docs/reference/errors', () => withOperationLinks(errorsPage(document), document)],
    ['/docs/reference/settings', () => settingsPage(document)],
    ['/docs/using-holdall', () => withOperationLinks(usingPage(), document)],
    ['/docs/running-on-a-server', () => withOperationLinks(serverPage(), document)],
    ['/docs/moving-from-eazip', movingPage],
  ])
}

/** How the other files of these pages are made, by their names. */
const ASSETS: ReadonlyMap<string, () => Response> = new Map([
  ['reference.css', () => textResponse(tokens + stylesheet, 'text/css')],
  ['icon.svg', () => textResponse(icon, 'image/svg+xml')],
  ['search.js', () => textResponse(searchScript, 'text/javascript')],
  ['calls.js', () => textResponse(callsScript, 'text/javascript')],
])

/** Caches may store these responses and must revalidate them. */
const CACHE_HEADERS = { 'cache-control': 'no-cache' } as const

function textResponse(text: string, mediaType: string): Response {
  return new Response(text, {
    headers: { ...CACHE_HEADERS, 'content-type': `${mediaType}; charset=utf-8` },
  })
}
