import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'
import type { SharedArchives } from '../../downloads/shared-archives.ts'
import { type ArchiveUrls, archiveToJson } from '../downloads/json.ts'
import { sharePage } from '../downloads/shared-page.ts'
import { notFound } from '../error-responses.ts'
import { precompressed } from './negotiation.ts'
import type { UiPage } from './page.ts'

/** The paths of the UI. For GET, the API has none of these: its `/sign-in` takes POST and DELETE, its users are at `/users`. */
const PAGES = [
  '/',
  '/sign-in',
  '/archives',
  '/archives/:id',
  '/keys',
  '/account',
  '/add-to-browser',
  '/check',
  '/account/schedules',
  '/account/schedules/:id',
  '/account/sites',
  '/account/notifications',
  '/account/notifications/:id',
  '/admin/users',
  '/admin/service',
] as const

/** One year: the name of an asset contains a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Copies that the build makes of assets. */
const COMPRESSED = /\.(?:br|gz)$/

/** Serves the built UI in `dir`: one page for all of its paths, one for receivers, and its assets. Without a page there is only the API. */
export function uiRoutes(dir: string, page: UiPage | null, shared: SharedArchives, urls: ArchiveUrls) {
  const app = new Elysia()
  if (page === null) return app
  // People may type a slash at the end. The API, which is for programs, does not accept it.
  for (const path of PAGES.flatMap((page) => (page === '/' ? [page] : [page, `${page}/`]))) {
    app.get(path, () => page.respond())
  }
  const assets = join(dir, 'assets')
  const names = new Set(readdirSync(assets).filter((name) => !COMPRESSED.test(name)))
  const picture = [...names].find((name) => /^app-512-.*\.png$/.test(name))
  for (const path of ['/share/:token', '/share/:token/'] as const) {
    app.get(path, ({ params: { token }, request }) => {
      const archive = shared.describe(token)
      const answer = archiveToJson(archive, token, request, urls)
      const pictureUrl = picture === undefined ? null : `${urls.originOf(request)}/assets/${picture}`
      return page.respondToReceiver(sharePage(archive, token, answer, pictureUrl))
    })
  }
  let files: ReturnType<typeof staticFiles> | undefined
  // One route for all assets: with one per asset, a start would be longer.
  return app.get('/assets/:name', async ({ params: { name }, request, set }) => {
    if (!names.has(name)) throw notFound()
    set.headers.vary = 'accept-encoding'
    const plain = join(assets, name)
    const found = precompressed(plain, request.headers.get('accept-encoding'))
    if (found === null) {
      files ??= staticFiles(assets)
      // Not the URL of the request: the plugin would read the path from the wrong place after a host of one to three letters.
      const response = await (await files).handle(new Request(`http://localhost/assets/${name}`))
      if (!response.ok) throw new Error(`${plain} is gone`)
      return response
    }
    return new Response(Bun.file(found.path), {
      headers: {
        'content-type': Bun.file(plain).type,
        'content-encoding': found.coding,
        'cache-control': IMMUTABLE,
      },
    })
  })
}

/**
 * `@elysiajs/static` sends an asset that has no compressed copy, or to a client that accepts none, and no more: it can't choose
 * between copies of a file, or serve one page for all paths of the interface. It reads each file when it is set up, so that
 * is done at the first such request, not at the start of the service.
 */
function staticFiles(assets: string) {
  return staticPlugin({
    assets,
    prefix: '/assets',
    alwaysStatic: true,
    etag: false,
    ignorePatterns: [COMPRESSED],
    headers: { 'cache-control': IMMUTABLE },
  })
}
