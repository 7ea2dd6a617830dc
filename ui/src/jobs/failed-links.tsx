import { createMemo, For, Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { Card } from '../base/card.tsx'
import { CopyButton } from '../base/copy-button.tsx'
import { formatCount } from '../base/format.ts'
import { Problem } from '../base/problem.tsx'
import styles from './failed-links.module.css'

type FailedLink = NonNullable<Job['errors']>[number]

/** What the service says of a URL of a network that it keeps away from. */
const REFUSED_ADDRESS = 'Address not allowed'

/** Each URL that could not be fetched, with the reason, to copy all at once. */
export function FailedLinks(props: { errors: readonly FailedLink[] }) {
  const asText = () => props.errors.map(({ url, error }) => `${url}\t${error}`).join('\n')
  const anyRefused = createMemo(() => props.errors.some(({ error }) => error === REFUSED_ADDRESS))
  return (
    <section class={styles.section} aria-labelledby="failed-links">
      <div class={styles.head}>
        <h2 id="failed-links">
          Failed links <span class={styles.count}>{formatCount(props.errors.length)}</span>
        </h2>
        <CopyButton label="Copy all" text={asText} />
      </div>
      <Show when={anyRefused()}>
        <div class={styles.remedy}>
          <Problem tone="wary">
            Some links lead into a private network, which Holdall keeps away from. Whoever runs it can allow
            one by starting it with <code>--allow-network</code> and the network, such as{' '}
            <code>192.168.1.0/24</code>.
          </Problem>
        </div>
      </Show>
      <Card>
        {/* Scrolls, so the keyboard must reach it. */}
        <ul class={styles.list} tabindex="0" aria-labelledby="failed-links">
          <For each={props.errors}>
            {(failed) => (
              <li class={styles.row}>
                <span class={styles.url}>{failed.url}</span>
                <span class={styles.reason}>{failed.error}</span>
              </li>
            )}
          </For>
        </ul>
      </Card>
    </section>
  )
}
