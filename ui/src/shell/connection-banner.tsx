import WifiOff from 'lucide-solid/icons/wifi-off'
import { Show } from 'solid-js'
import { reachable } from '../api/reachability.ts'
import { shellCopy } from '../language/english/shell.ts'
import styles from './connection-banner.module.css'

/** Tells the user that the service can't be reached and that the page reconnects by itself. */
export function ConnectionBanner() {
  return (
    <div role="status">
      <Show when={!reachable()}>
        <p class={styles.banner}>
          <WifiOff size={18} aria-hidden="true" />
          {shellCopy.reconnecting}
        </p>
      </Show>
    </div>
  )
}
