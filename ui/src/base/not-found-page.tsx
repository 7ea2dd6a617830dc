import { A } from '@solidjs/router'
import { setTitle } from './title.ts'

export function NotFoundPage() {
  setTitle('Not found')
  return (
    <section class="empty">
      <h1>There is nothing here</h1>
      <p>The address may be mistyped, or what it led to is gone.</p>
      <A class="button" href="/">
        Make an archive
      </A>
    </section>
  )
}
