import { join } from 'node:path'
import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'
import type { SharedArchives } from '../downloads/shared-archives.ts'
import { precompressed } from './precompressed.ts'
import { sharePage } from './share-page.ts'
import type { UiPage } from './ui-page.ts'

/** The paths of the UI. For GET, the API has none of these: its `/sign-in` takes POST and DELETE, its users are at `/users`. */
const PAGES = [
  '/',
  '/sign-in',
  '/archives',
  '/archives/:id',
  '/keys',
  '/account',
  '/add-to-browser',
  '/account/webhooks',
  '/account/webhooks/:id',
  '/admin/users',
  '/admin/service',
] as const

/** One year: the name of an asset contains a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Serves the built UI in `dir`: one page for all of its paths, and its assets. Without a page there is only the API. */
export async function uiRoutes(dir: string, page: UiPage | null, shared: SharedArchives) {
  const app = new Elysia()
  if (page === null) return app
  // People may type a slash at the end. The API, which is for programs, does not accept it.
  for (const path of PAGES.flatMap((page) => (page === '/' ? [page] : [page, `${page}/`]))) {
    app.get(path, () => page.respond())
  }
  for (const path of ['/share/:token', '/share/:token/'] as const) {
    app.get(path, ({ params: { token } }) => page.respond(200, sharePage(shared.describe(token), token)))
  }
  const assets = join(dir, 'assets')
  return app
    .onBeforeHandle(({ path, request, set }) => {
      // Only assets have compressed copies.
      if (!path.startsWith('/assets/')) return
      set.headers.vary = 'accept-encoding'
      const plain = join(assets, path.slice('/assets/'.length))
      const found = precompressed(plain, request.headers.get('accept-encoding'))
      if (found === null) return
      return new Response(Bun.file(found.path), {
        headers: {
          'content-type': Bun.file(plain).type,
          'content-encoding': found.coding,
          'cache-control': IMMUTABLE,
        },
      })
    })
    .use(
      await staticPlugin({
        assets,
        prefix: '/assets',
        alwaysStatic: true,
        etag: false,
        ignorePatterns: [/\.(?:br|gz)$/],
        headers: { 'cache-control': IMMUTABLE },
      }),
    )
}
