import { Index, Show } from 'solid-js'
import type { SharedArchive } from '../api/types.ts'
import { formatBytes, formatDateTime, formatFullDateTime } from '../base/format.ts'
import { baseCopy } from '../language/english/base.ts'
import { sharePageCopy } from '../language/english/share-page.ts'
import { changesText } from '../repeat/changes-text.ts'
import styles from './earlier-archives.module.css'

/** The other archives of a list that is packed again and again, newest first. */
export function EarlierArchives(props: { archives: NonNullable<SharedArchive['earlier']>; now: number }) {
  return (
    <Show when={props.archives.length > 0}>
      <section aria-labelledby="earlier">
        <h2 id="earlier">{sharePageCopy.earlier}</h2>
        <ul class={styles.list}>
          <Index each={props.archives}>
            {(archive) => (
              <li>
                <a href={new URL(archive().share_url).pathname} rel="external">
                  {archive().zip_filename}
                </a>
                <p class={styles.hint} title={formatFullDateTime(archive().completed_at)}>
                  {formatDateTime(archive().completed_at, props.now)} · {baseCopy.files(archive().file_count)}{' '}
                  · {formatBytes(archive().zip_size)}
                  <Show when={archive().changes}>
                    {(changes) => ` · ${changesText(changes(), archive().kept_from ?? null, props.now)}`}
                  </Show>
                </p>
              </li>
            )}
          </Index>
        </ul>
      </section>
    </Show>
  )
}
