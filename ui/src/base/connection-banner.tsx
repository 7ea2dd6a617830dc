import WifiOff from 'lucide-solid/icons/wifi-off'
import { Show } from 'solid-js'
import { reachable } from '../api/connection.ts'
import styles from './connection-banner.module.css'

/** Floats above the page while the service gives no answer, so that nothing moves when it comes and goes. */
export function ConnectionBanner() {
  return (
    <div role="status" class={styles.place}>
      <Show when={!reachable()}>
        <p class={styles.banner}>
          <WifiOff size={18} aria-hidden="true" />
          Reconnecting to Holdall…
        </p>
      </Show>
    </div>
  )
}
