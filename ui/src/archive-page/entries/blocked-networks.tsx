import { createMemo, Show } from 'solid-js'
import type { Entry, FetchError } from '../../api/types.ts'
import { Alert } from '../../base/alert.tsx'
import { Sentence } from '../../base/sentence.tsx'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import styles from './blocked-networks.module.css'

/** If links failed because they point into a private network, explains how an administrator can allow that network. */
export function BlockedNetworks(props: { failed: readonly Entry[]; canRetry: boolean }) {
  const host = createMemo(() => {
    const entry = props.failed.find(({ error }) => error === ADDRESS_BLOCKED)
    return entry === undefined ? null : (URL.parse(entry.url)?.hostname ?? entry.url)
  })
  return (
    <Show when={host()}>
      {(host) => (
        <div class={styles.notice}>
          <Alert tone="warning">
            <Sentence
              text={archivePageCopy.files.blocked}
              parts={{
                host: <b>{host()}</b>,
                option: <code>--allow-network {networkOf(host())}</code>,
                variable: <code>HOLDALL_ALLOW_NETWORK</code>,
              }}
            />
            <Show when={props.canRetry}> {archivePageCopy.files.thenRetry}</Show>
          </Alert>
        </div>
      )}
    </Show>
  )
}

/** Returns the network to allow. The network of a host name is unknown here, so that it gives an example instead. */
function networkOf(host: string): string {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return `${host}/32`
  if (host.startsWith('[')) return `${host.slice(1, -1)}/128`
  return host === 'localhost' ? '127.0.0.0/8' : archivePageCopy.files.exampleNetwork
}

/** The service's error for a URL in a blocked network. */
const ADDRESS_BLOCKED: FetchError = 'Address not allowed'
