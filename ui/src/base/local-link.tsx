import { Show } from 'solid-js'
import { Alert } from './alert.tsx'
import { isLocalLink, ONLY_HERE } from './is-local-link.ts'

/** Says of a link that only this computer can open it, and how to change that. Empty for any other link. */
export function LocalLinkNotice(props: { url: string }) {
  return (
    <Show when={isLocalLink(props.url)}>
      <Alert tone="warning">
        <p>{ONLY_HERE}</p>
        <p>
          To share it, start Holdall with <code>--listen 0.0.0.0:{portOf(props.url)}</code> and open it by the
          name or the address of this computer, or give it a public address: <code>--base-url https://…</code>
          .{' '}
          <a href="/docs/running-on-a-server" hreflang="en" target="_blank" rel="noopener">
            How to run it on a server
          </a>
        </p>
      </Alert>
    </Show>
  )
}

function portOf(url: string): string {
  return URL.parse(url)?.port || '8420'
}
