import { createSignal, For, Show } from 'solid-js'
import type { Job } from '../api/jobs.ts'
import { CopyButton } from '../base/copy-button.tsx'
import { plural } from '../base/format.ts'
import { Notice } from '../base/notice.tsx'

const SHOWN = 100

/** The URLs that could not be fetched, and why. */
export function ArchiveErrors(props: { errors: NonNullable<Job['errors']> }) {
  const [showsAll, setShowsAll] = createSignal(false)
  const shown = () => (showsAll() ? props.errors : props.errors.slice(0, SHOWN))
  const asText = () => props.errors.map(({ url, error }) => `${url}\t${error}`).join('\n')
  return (
    <section class="section" aria-labelledby="errors">
      <div class="section-head">
        <h2 id="errors">{plural(props.errors.length, 'URL')} failed</h2>
        <CopyButton label="Copy all" text={asText()} />
      </div>
      <Show when={props.errors.some(({ error }) => error === 'Address not allowed')}>
        <Notice kind="info">
          Holdall fetches nothing from private or local addresses unless whoever runs it allows that, by
          starting it with <code>--allow-network</code> and the network’s address.
        </Notice>
      </Show>
      <ul class="errors">
        <For each={shown()}>
          {({ url, error }) => (
            <li>
              <span class="mono clip" title={url}>
                {url}
              </span>
              <span class="bad">{error}</span>
            </li>
          )}
        </For>
      </ul>
      <Show when={shown().length < props.errors.length}>
        <button type="button" class="button" onClick={() => setShowsAll(true)}>
          Show all {props.errors.length}
        </button>
      </Show>
    </section>
  )
}
