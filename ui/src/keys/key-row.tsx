import KeyRound from 'lucide-solid/icons/key-round'
import Monitor from 'lucide-solid/icons/monitor'
import { Show } from 'solid-js'
import type { ApiKey } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { formatDateTime, formatFullDateTime, formatRelative } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { useNow } from '../base/now.ts'
import { keysCopy } from '../language/english/keys.ts'
import { sessionKeyId } from '../session/session.ts'

/** A key or a signed-in browser in the list: its name, when it was last used, and when it ends. */
export function KeyRow(props: { apiKey: ApiKey; onRevoke: () => void }) {
  const now = useNow()
  const isExpired = () => props.apiKey.expires_at !== null && Date.parse(props.apiKey.expires_at) <= now()
  const isBrowser = () => props.apiKey.is_browser
  const copy = keysCopy.row
  const name = () => (isBrowser() ? keysCopy.keyName(props.apiKey.name) : props.apiKey.name)
  return (
    <ListRow
      icon={isBrowser() ? Monitor : KeyRound}
      tone={isExpired() ? 'muted' : undefined}
      title={name()}
      badge={props.apiKey.id === sessionKeyId() ? copy.thisBrowser : undefined}
      details={
        <>
          <Show when={props.apiKey.last_used_at} fallback={<span>{copy.neverUsed}</span>}>
            {(at) => (
              <time datetime={at()} title={formatFullDateTime(at())}>
                {copy.lastUsed(formatRelative(at(), Math.max(now(), Date.parse(at()))))}
              </time>
            )}
          </Show>
          {/* The end of a browser's key moves with each use. */}
          <Show when={!isBrowser() && props.apiKey.expires_at}>
            {(at) => (
              <time
                data-tone={isExpired() ? 'danger' : undefined}
                datetime={at()}
                title={formatFullDateTime(at())}
              >
                {(isExpired() ? copy.expired : copy.expires)(formatRelative(at(), now()))}
              </time>
            )}
          </Show>
          <time datetime={props.apiKey.created_at} title={formatFullDateTime(props.apiKey.created_at)}>
            {(isBrowser() ? copy.signedIn : copy.created)(formatDateTime(props.apiKey.created_at, now()))}
          </time>
        </>
      }
    >
      <Button
        aria-label={(isBrowser() ? copy.signOutBrowser : copy.revokeKey)(name())}
        onClick={() => props.onRevoke()}
      >
        {isBrowser() ? copy.signOut : copy.revoke}
      </Button>
    </ListRow>
  )
}
