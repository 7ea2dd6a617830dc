import tokens from '../../../ui/src/styles/tokens.css' with { type: 'text' }
import callsScript from './assets/calls.js' with { type: 'text' }
import icon from './assets/icon.svg' with { type: 'text' }
import stylesheet from './assets/reference.css' with { type: 'text' }
import searchScript from './assets/search.js' with { type: 'text' }
import { movingPage } from './guides/moving-page.ts'
import { serverPage } from './guides/server-page.ts'
import { startPage } from './guides/start-page.ts'
import { usingPage } from './guides/using-page.ts'
import { type DocumentedRoute, type OpenapiDocument, openapiDocument } from './openapi.ts'
import { errorsPage } from './reference/errors-page.ts'
import { operationsPage, schemasPage } from './reference/operation-pages.ts'
import { overviewPage } from './reference/overview-page.ts'
import { pathOfTag, withOperationLinks } from './reference/parts.ts'
import { settingsPage } from './reference/settings-page.ts'
import { searchIndex } from './search-index.ts'

/** The OpenAPI document of the service, and the pages that are made of it. */
export interface DocsPages {
  readonly document: OpenapiDocument
  /** Makes the page of a path; null when there is none. */
  page(path: string): string | null
  /** What the search of the pages reads, as JSON. */
  index(): string
  /** The same, compressed by gzip. */
  compressedIndex(): Uint8Array<ArrayBuffer>
}

export function openDocsPages(routes: readonly DocumentedRoute[]): DocsPages {
  const document = openapiDocument(routes)
  const pages = pagesOf(document)
  const index = () => searchIndex(new Map([...pages].map(([path, page]) => [path, page()])))
  let compressed: Uint8Array<ArrayBuffer> | undefined
  return {
    document,
    page: (path) => pages.get(path)?.() ?? null,
    index,
    // The index takes some 20 ms and is 230 kB, 35 when compressed, so it is kept in that form once somebody has searched.
    compressedIndex: () => (compressed ??= Bun.gzipSync(index())),
  }
}

/** The other files of the pages, by their names. */
export const DOCS_FILES: ReadonlyMap<string, { readonly text: string; readonly mediaType: string }> = new Map(
  [
    ['reference.css', { text: tokens + stylesheet, mediaType: 'text/css' }],
    ['icon.svg', { text: icon, mediaType: 'image/svg+xml' }],
    ['search.js', { text: searchScript, mediaType: 'text/javascript' }],
    ['calls.js', { text: callsScript, mediaType: 'text/javascript' }],
  ],
)

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
