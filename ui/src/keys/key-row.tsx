import KeyRound from 'lucide-solid/icons/key-round'
import { Show } from 'solid-js'
import type { ApiKey } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { formatDateTime, formatFullDateTime, formatRelative } from '../base/format.ts'
import { useNow } from '../base/now.ts'
import { sessionKeyId } from '../session/session.ts'
import styles from './key-row.module.css'

/** A key in the list: its name, when it was last used, and when it expires. */
export function KeyRow(props: { apiKey: ApiKey; onRevoke: () => void }) {
  const now = useNow()
  const isExpired = () => props.apiKey.expires_at !== null && Date.parse(props.apiKey.expires_at) <= now()
  return (
    <li class={styles.row} data-expired={isExpired() ? '' : undefined}>
      <span class={styles.disc} aria-hidden="true">
        <KeyRound size={18} />
      </span>
      <div class={styles.text}>
        <p class={styles.name}>
          <span class={styles.label}>{props.apiKey.name}</span>
          <Show when={props.apiKey.id === sessionKeyId()}>
            <span class={styles.badge}>This browser</span>
          </Show>
        </p>
        <p class={styles.dates}>
          <Show when={props.apiKey.last_used_at} fallback={<span>Never used</span>}>
            {(at) => (
              <time datetime={at()} title={formatFullDateTime(at())}>
                Last used {formatRelative(at(), Math.max(now(), Date.parse(at())))}
              </time>
            )}
          </Show>
          <Show when={props.apiKey.expires_at}>
            {(at) => (
              <time class={styles.expiry} datetime={at()} title={formatFullDateTime(at())}>
                {isExpired() ? 'Expired' : 'Expires'} {formatRelative(at(), now())}
              </time>
            )}
          </Show>
        </p>
      </div>
      <time
        class={styles.created}
        datetime={props.apiKey.created_at}
        title={`Created ${formatFullDateTime(props.apiKey.created_at)}`}
      >
        {formatDateTime(props.apiKey.created_at, now())}
      </time>
      <Button aria-label={`Revoke ${props.apiKey.name}`} onClick={() => props.onRevoke()}>
        Revoke
      </Button>
    </li>
  )
}
