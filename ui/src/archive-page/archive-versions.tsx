import { A } from '@solidjs/router'
import { For, Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Card } from '../base/card.tsx'
import { formatBytes, formatDateTime } from '../base/format.ts'
import { Sentence } from '../base/sentence.tsx'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { baseCopy } from '../language/english/base.ts'
import styles from './archive-versions.module.css'

/** The other archives behind the same share link. */
export function ArchiveVersions(props: { job: Job; now: number }) {
  const isExpired = (expiresAt: string | null) => Date.parse(expiresAt ?? '') <= props.now
  return (
    <>
      <Show when={props.job.replaced_by}>
        {(id) => (
          <div class={styles.replaced}>
            <Alert tone="warning">
              <Sentence
                text={archivePageCopy.versions.replaced}
                parts={{ newer: <A href={`/archives/${id()}`}>{archivePageCopy.versions.newer}</A> }}
              />
            </Alert>
          </div>
        )}
      </Show>
      <Show when={props.job.earlier_versions}>
        {(versions) => (
          <section class={styles.section} aria-labelledby="earlier-versions">
            <h2 id="earlier-versions" class={styles.title}>
              {archivePageCopy.versions.earlier}
            </h2>
            <Card>
              <ul>
                <For each={versions()}>
                  {(version) => (
                    <li class={styles.version}>
                      <A href={`/archives/${version.job_id}`} class={styles.date}>
                        {formatDateTime(version.completed_at ?? '', props.now)}
                      </A>
                      <span class={styles.details}>
                        {baseCopy.files(version.file_count)} · {formatBytes(version.zip_size)}
                        {isExpired(version.expires_at) ? ` · ${archivePageCopy.versions.expired}` : ''}
                      </span>
                    </li>
                  )}
                </For>
              </ul>
            </Card>
          </section>
        )}
      </Show>
    </>
  )
}
