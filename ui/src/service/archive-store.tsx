import { Show } from 'solid-js'
import type { ServiceStatus } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Fact, Facts } from '../base/facts.tsx'
import { countOf } from '../base/format.ts'
import styles from './archive-store.module.css'

export interface ArchiveStoreProps {
  store: NonNullable<ServiceStatus['archive_store']>
  /** Whether downloads go through Holdall. Otherwise, they are redirected to the store. */
  isProxy: boolean
}

/** The bucket that finished archives move to: whether it works, and what waits for it. */
export function ArchiveStore(props: ArchiveStoreProps) {
  return (
    <section class={styles.store} aria-labelledby="archive-store">
      <h2 id="archive-store">Archive store</h2>
      <Show when={props.store.trouble}>
        {(trouble) => (
          <Alert tone="warning">
            <p>{trouble()}</p>
            <p>Finished archives wait on this disk, and are uploaded when it works again.</p>
          </Alert>
        )}
      </Show>
      <Facts>
        <Fact name="State">{props.store.trouble === null ? 'Working' : 'Not working'}</Fact>
        <Fact name="Waiting for upload">
          {props.store.waiting_uploads === 0 ? 'None' : countOf(props.store.waiting_uploads, 'archive')}
        </Fact>
        <Fact name="Downloads">{props.isProxy ? 'Through Holdall' : 'Directly from the bucket'}</Fact>
      </Facts>
    </section>
  )
}
