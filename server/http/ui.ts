import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'
import { precompressed } from './precompressed.ts'

/** The UI's own paths. None of them is one of the API's: `POST /sign-in` is, `GET /sign-in` is not. */
const PAGES = ['/', '/sign-in', '/archives', '/archives/:id', '/keys', '/account'] as const

/** For a year: the name of an asset holds a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** The built UI in `dir`: one page for all of its paths, and assets whose names hold a hash of their content. */
export async function uiRoutes(dir: string) {
  const app = new Elysia()
  const page = join(dir, 'index.html')
  // A service run from source before the UI is built is an API alone.
  if (!existsSync(page)) return app
  // People type a slash at the end; programs, which the API is for, do not.
  for (const path of PAGES.flatMap((own) => (own === '/' ? [own] : [own, `${own}/`]))) {
    app.get(
      path,
      () =>
        new Response(Bun.file(page), {
          headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
        }),
    )
  }
  const assets = join(dir, 'assets')
  return app
    .onBeforeHandle(({ path, request, set }) => {
      // Elsewhere there is nothing that comes in several codings.
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
