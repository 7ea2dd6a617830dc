import { createMemo, Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { Alert } from '../../base/alert.tsx'
import styles from './blocked-networks.module.css'

/** What the service says of a URL of a network that it keeps away from. */
const REFUSED_ADDRESS = 'Address not allowed'

/** How links into a private network can be allowed, where there are such links: the flag, and who can set it. */
export function BlockedNetworks(props: { failed: readonly Entry[]; canRetry: boolean }) {
  const host = createMemo(() => {
    const entry = props.failed.find(({ error }) => error === REFUSED_ADDRESS)
    return entry === undefined ? null : (URL.parse(entry.url)?.hostname ?? entry.url)
  })
  return (
    <Show when={host()}>
      {(host) => (
        <div class={styles.remedy}>
          <Alert tone="warning">
            Holdall keeps away from private networks, and <b>{host()}</b> is in one. Whoever runs Holdall can
            allow it: start it with <code>--allow-network {networkOf(host())}</code>, or set{' '}
            <code>HOLDALL_ALLOW_NETWORK</code>.<Show when={props.canRetry}> Then try again.</Show>
          </Alert>
        </div>
      )}
    </Show>
  )
}

/** The network of an address alone; of a name nobody but its owner knows it. */
function networkOf(host: string): string {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return `${host}/32`
  if (host.startsWith('[')) return `${host.slice(1, -1)}/128`
  return host === 'localhost' ? '127.0.0.0/8' : 'with its network, such as 192.168.1.0/24'
}
