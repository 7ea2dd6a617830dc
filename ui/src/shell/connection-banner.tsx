import WifiOff from 'lucide-solid/icons/wifi-off'
import { Show } from 'solid-js'
import { reachable } from '../api/connection.ts'
import styles from './connection-banner.module.css'

/** Says that the service gives no answer, and that no one need do anything about it. */
export function ConnectionBanner() {
  return (
    <div role="status">
      <Show when={!reachable()}>
        <p class={styles.banner}>
          <WifiOff size={18} aria-hidden="true" />
          Reconnecting to Holdall…
        </p>
      </Show>
    </div>
  )
}
