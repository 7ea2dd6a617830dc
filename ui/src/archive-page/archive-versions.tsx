import { A } from '@solidjs/router'
import { For, Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Card } from '../base/card.tsx'
import { countOf, formatBytes, formatDateTime } from '../base/format.ts'
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
              A newer version has replaced this archive. The share link opens{' '}
              <A href={`/archives/${id()}`}>the newer version</A>.
            </Alert>
          </div>
        )}
      </Show>
      <Show when={props.job.earlier_versions}>
        {(versions) => (
          <section class={styles.section} aria-labelledby="earlier-versions">
            <h2 id="earlier-versions" class={styles.title}>
              Earlier versions
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
                        {countOf(version.file_count, 'file')} · {formatBytes(version.zip_size)}
                        {isExpired(version.expires_at) ? ' · expired' : ''}
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
