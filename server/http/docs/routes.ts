import { Elysia } from 'elysia'
import tokens from '../../../ui/src/styles/tokens.css' with { type: 'text' }
import { operation } from '../operation.ts'
import icon from './icon.svg' with { type: 'text' }
import { movingPage } from './moving-page.ts'
import { type DocumentedRoute, type OpenapiDocument, openapiDocument } from './openapi.ts'
import stylesheet from './reference.css' with { type: 'text' }
import { referencePage } from './reference-page.ts'
import searchScript from './search.js' with { type: 'text' }
import { serverPage } from './server-page.ts'
import { usingPage } from './using-page.ts'

/** `GET /openapi.json`, and the same as a page, `GET /docs`, which loads nothing from other origins. */
export function referenceRoutes(otherRoutes: readonly DocumentedRoute[]) {
  const app = new Elysia()
    .get('/openapi.json', () => Response.json(getDocument(), { headers: CACHE_HEADERS }), {
      detail: operation({
        tag: 'Service',
        id: 'getOpenapi',
        summary: 'Get this document',
        isOpen: true,
        success: { 200: { description: 'OpenAPI 3.1.', mediaType: 'application/json' } },
      }),
    })
    .get('/docs', () => textResponse(referencePage(getDocument()), 'text/html'), {
      detail: operation({
        tag: 'Service',
        id: 'getDocs',
        summary: 'Read this document as a page',
        isOpen: true,
        success: { 200: { description: 'A page.', mediaType: 'text/html' } },
      }),
    })
    .get('/docs/reference.css', () => textResponse(tokens + stylesheet, 'text/css'), {
      detail: operation({
        tag: 'Service',
        id: 'getDocsStylesheet',
        summary: 'Get the style sheet of that page',
        isOpen: true,
        success: { 200: { description: 'A style sheet.', mediaType: 'text/css' } },
      }),
    })
    .get('/docs/icon.svg', () => textResponse(icon, 'image/svg+xml'), {
      detail: operation({
        tag: 'Service',
        id: 'getDocsIcon',
        summary: 'Get the icon of that page',
        isOpen: true,
        success: { 200: { description: 'An image.', mediaType: 'image/svg+xml' } },
      }),
    })
    .get('/docs/search.js', () => textResponse(searchScript, 'text/javascript'), {
      detail: operation({
        tag: 'Service',
        id: 'getDocsSearch',
        summary: 'Get the script that searches that page',
        isOpen: true,
        success: { 200: { description: 'A script.', mediaType: 'text/javascript' } },
      }),
    })
    .get('/docs/using-holdall', () => textResponse(usingPage(), 'text/html'), {
      detail: operation({
        tag: 'Service',
        id: 'getUsingPage',
        summary: 'Read how to use Holdall from programs and the command line',
        isOpen: true,
        success: { 200: { description: 'A page.', mediaType: 'text/html' } },
      }),
    })
    .get('/docs/moving-from-eazip', () => textResponse(movingPage(), 'text/html'), {
      detail: operation({
        tag: 'Service',
        id: 'getMovingPage',
        summary: 'Read how to move from Eazip',
        isOpen: true,
        success: { 200: { description: 'A page.', mediaType: 'text/html' } },
      }),
    })
    .get('/docs/running-on-a-server', () => textResponse(serverPage(), 'text/html'), {
      detail: operation({
        tag: 'Service',
        id: 'getServerPage',
        summary: 'Read how to run Holdall on a server',
        isOpen: true,
        success: { 200: { description: 'A page.', mediaType: 'text/html' } },
      }),
    })
  // A copy of the list, since routes that do not belong in the document are added later.
  const routes = [...otherRoutes, ...app.routes]
  let document: OpenapiDocument | undefined
  const getDocument = (): OpenapiDocument => (document ??= openapiDocument(routes))
  return app
}

/** Caches may store these responses and must revalidate them. */
const CACHE_HEADERS = { 'cache-control': 'no-cache' } as const

function textResponse(text: string, mediaType: string): Response {
  return new Response(text, {
    headers: { ...CACHE_HEADERS, 'content-type': `${mediaType}; charset=utf-8` },
  })
}
