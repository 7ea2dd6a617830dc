import { Elysia } from 'elysia'
import { notFound } from '../error-responses.ts'
import { operation } from '../operation.ts'
import { qualityValues } from '../ui/negotiation.ts'
import type { DocumentedRoute } from './openapi.ts'
import type { DocsPages } from './pages.ts'

/**
 * `GET /openapi.json`, and pages for people: `GET /docs` and below. They load nothing from other origins. What they are made of is
 * loaded when somebody asks for one of them, and each is made when it is asked for, so that a start costs nothing.
 */
export function referenceRoutes(otherRoutes: readonly DocumentedRoute[]) {
  const app = new Elysia().get(
    '/openapi.json',
    async () => Response.json((await loadedPages()).document, { headers: CACHE_HEADERS }),
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
  let pages: DocsPages | undefined
  async function loadedPages(): Promise<DocsPages> {
    const { openDocsPages } = await import('./pages.ts')
    pages ??= openDocsPages(routes)
    return pages
  }
  async function respond(path: string): Promise<Response> {
    const page = (await loadedPages()).page(path)
    if (page === null) throw notFound()
    return textResponse(page, 'text/html')
  }
  app
    .get('/docs', () => respond('/docs'))
    .get('/docs/:page', async ({ params: { page } }) => {
      const { DOCS_FILES } = await import('./pages.ts')
      const file = DOCS_FILES.get(page)
      return file === undefined ? await respond(`/docs/${page}`) : textResponse(file.text, file.mediaType)
    })
    .get('/docs/reference/:part', ({ params: { part } }) => respond(`/docs/reference/${part}`))
    .get('/docs/search.json', async ({ request }) => {
      const accepted = qualityValues(request.headers.get('accept-encoding') ?? '')
      const isCompressed = (accepted.get('gzip') ?? 0) > 0
      const { index, compressedIndex } = await loadedPages()
      return new Response(isCompressed ? compressedIndex() : index(), {
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

/** Caches may store these responses and must revalidate them. */
const CACHE_HEADERS = { 'cache-control': 'no-cache' } as const

function textResponse(text: string, mediaType: string): Response {
  return new Response(text, {
    headers: { ...CACHE_HEADERS, 'content-type': `${mediaType}; charset=utf-8` },
  })
}
