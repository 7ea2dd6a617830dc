import { Match, Show, Switch } from 'solid-js'
import { createPolling } from '../api/polling.ts'
import { getService } from '../api/service.ts'
import { getSettings } from '../api/settings.ts'
import { Card } from '../base/card.tsx'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { messageOf } from '../base/message.ts'
import { OwnerOnly } from '../base/owner-only.tsx'
import { PageHeader } from '../base/page.tsx'
import { serviceCopy } from '../language/english/service.ts'
import { ArchiveStore } from './archive-store.tsx'
import { DiskUse } from './disk-use.tsx'
import { ServiceActivity } from './service-activity.tsx'
import styles from './service-page.module.css'
import { ServiceSettings } from './service-settings.tsx'
import { ServiceVersion } from './service-version.tsx'
import { StartAtLogin } from './start-at-login.tsx'
import { Update } from './update.tsx'

/** The owner's page of the service: disk, archive store, queue, version and settings. */
export function ServicePage() {
  const service = createPolling(getService, () => REFRESH_MS)
  const settings = createPolling(getSettings, () => REFRESH_MS)
  return (
    <>
      <PageHeader title={serviceCopy.title} lead={serviceCopy.lead} />
      <Switch
        fallback={
          <Card>
            <ListSkeleton />
          </Card>
        }
      >
        <Match when={service.error()?.code === 'FORBIDDEN'}>
          <OwnerOnly />
        </Match>
        <Match when={service.value()}>
          {(status) => (
            <div class={styles.cards}>
              <Card isPadded>
                <DiskUse status={status()} />
              </Card>
              <Show when={status().archive_store}>
                {(store) => (
                  <Card isPadded>
                    <ArchiveStore store={store()} isProxy={status().settings.archive_store_proxy} />
                  </Card>
                )}
              </Show>
              <Card isPadded>
                <ServiceActivity status={status()} />
              </Card>
              <Card isPadded>
                <ServiceVersion status={status()} />
              </Card>
              <Card isPadded>
                <StartAtLogin />
              </Card>
              <Card isPadded>
                <Update />
              </Card>
              <Show when={settings.value()}>
                {(loaded) => (
                  <Card isPadded>
                    <ServiceSettings
                      loaded={loaded()}
                      started={status().settings}
                      onChanged={settings.refresh}
                    />
                  </Card>
                )}
              </Show>
            </div>
          )}
        </Match>
        <Match when={service.error()}>
          {(error) => (
            <Card>
              <ListError message={messageOf(error())} onRetry={service.refresh} />
            </Card>
          )}
        </Match>
      </Switch>
    </>
  )
}

/** Often enough to watch a queue, seldom enough to cost nothing. */
const REFRESH_MS = 5_000
