import { Show } from 'solid-js'
import type { ServiceStatus } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Fact, Facts } from '../base/facts.tsx'
import { baseCopy } from '../language/english/base.ts'
import { serviceCopy } from '../language/english/service.ts'
import styles from './archive-store.module.css'

const copy = serviceCopy.store

export interface ArchiveStoreProps {
  store: NonNullable<ServiceStatus['archive_store']>
  /** Whether downloads go through Holdall. Otherwise, they are redirected to the store. */
  isProxy: boolean
}

/** The bucket that finished archives move to: whether it works, and what waits for it. */
export function ArchiveStore(props: ArchiveStoreProps) {
  return (
    <section class={styles.store} aria-labelledby="archive-store">
      <h2 id="archive-store">{copy.title}</h2>
      <Show when={props.store.trouble}>
        {(trouble) => (
          <Alert tone="warning">
            <p>{trouble()}</p>
            <p>{copy.waits}</p>
          </Alert>
        )}
      </Show>
      <Facts>
        <Fact name={copy.state}>{props.store.trouble === null ? copy.working : copy.notWorking}</Fact>
        <Fact name={copy.waiting}>
          {props.store.waiting_uploads === 0 ? copy.none : baseCopy.archives(props.store.waiting_uploads)}
        </Fact>
        <Fact name={copy.downloads}>{props.isProxy ? copy.proxied : copy.direct}</Fact>
      </Facts>
    </section>
  )
}
