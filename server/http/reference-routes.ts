import { Elysia } from 'elysia'
import { type DocumentedRoute, type OpenapiDocument, openapiDocument } from './openapi.ts'
import stylesheet from './reference.css' with { type: 'text' }
import { referencePage } from './reference-page.ts'

/** `GET /openapi.json`, and the same as a page, `GET /docs`, which loads nothing from other origins. */
export function referenceRoutes(otherRoutes: readonly DocumentedRoute[]) {
  const app = new Elysia()
    .get('/openapi.json', () => Response.json(document, { headers: CACHE_HEADERS }))
    .get('/docs', () => textResponse(page, 'text/html'))
    .get('/docs/reference.css', () => textResponse(stylesheet, 'text/css'))
  const document: OpenapiDocument = openapiDocument([...otherRoutes, ...app.routes])
  const page: string = referencePage(document)
  return app
}

/** Caches may store these responses and must revalidate them. */
const CACHE_HEADERS = { 'cache-control': 'no-cache' } as const

function textResponse(text: string, mediaType: string): Response {
  return new Response(text, {
    headers: { ...CACHE_HEADERS, 'content-type': `${mediaType}; charset=utf-8` },
  })
}
