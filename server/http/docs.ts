import { Elysia } from 'elysia'
import { type DocumentedRoute, type OpenapiDocument, openapiDocument } from './openapi.ts'
import stylesheet from './reference.css' with { type: 'text' }
import { referencePage } from './reference-page.ts'

/** `GET /openapi.json`, and the same as a page that loads nothing from elsewhere: `GET /docs`. */
export function docsRoutes(others: readonly DocumentedRoute[]) {
  const app = new Elysia()
    .get('/openapi.json', () => Response.json(document, { headers: KEPT }))
    .get('/docs', () => file(page, 'text/html'))
    .get('/docs/reference.css', () => file(stylesheet, 'text/css'))
  const document: OpenapiDocument = openapiDocument([...others, ...app.routes])
  const page: string = referencePage(document)
  return app
}

/** Anyone may keep what is the same for all, and asks before using it again. */
const KEPT = { 'cache-control': 'no-cache' } as const

function file(text: string, mediaType: string): Response {
  return new Response(text, {
    headers: { ...KEPT, 'content-type': `${mediaType}; charset=utf-8` },
  })
}
