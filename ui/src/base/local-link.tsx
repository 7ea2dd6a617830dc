import { Show } from 'solid-js'
import { sharingCopy } from '../language/english/sharing.ts'
import { Alert } from './alert.tsx'
import { isLocalLink } from './is-local-link.ts'
import { Sentence } from './sentence.tsx'

/** Says of a link that only this computer can open it, and how to change that. Empty for any other link. */
export function LocalLinkNotice(props: { url: string }) {
  return (
    <Show when={isLocalLink(props.url)}>
      <Alert tone="warning">
        <p>{sharingCopy.onlyHere}</p>
        <p>
          <Sentence
            text={sharingCopy.onlyHereHelp}
            parts={{
              listen: <code>--listen 0.0.0.0:{portOf(props.url)}</code>,
              baseUrl: <code>--base-url https://…</code>,
              more: (
                <a href="/docs/running-on-a-server" hreflang="en" target="_blank" rel="noopener">
                  {sharingCopy.onlyHereMore}
                </a>
              ),
            }}
          />
        </p>
      </Alert>
    </Show>
  )
}

function portOf(url: string): string {
  return URL.parse(url)?.port || '8420'
}
