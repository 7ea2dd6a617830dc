import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'

/** The UI's own paths. None of them is one of the API's: `POST /sign-in` is, `GET /sign-in` is not. */
const PAGES = ['/', '/sign-in', '/archives', '/archives/:id', '/keys', '/account'] as const

const YEAR_SECONDS = 31_536_000

/** The built UI in `dir`: one page for all of its paths, and assets whose names hold a hash of their content. */
export async function uiRoutes(dir: string) {
  const app = new Elysia()
  const page = join(dir, 'index.html')
  // A service run from source before the UI is built is an API alone.
  if (!existsSync(page)) return app
  for (const path of PAGES) {
    app.get(
      path,
      () =>
        new Response(Bun.file(page), {
          headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
        }),
    )
  }
  return app.use(
    await staticPlugin({
      assets: join(dir, 'assets'),
      prefix: '/assets',
      alwaysStatic: true,
      etag: false,
      headers: { 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` },
    }),
  )
}
