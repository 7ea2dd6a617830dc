import { Show } from 'solid-js'
import type { ServiceStatus } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import { formatBytes, formatDateTime, formatDuration, formatFullDateTime } from '../base/format.ts'
import { useNow } from '../base/now.ts'

/** The version, how long it has been running, and the last backup. */
export function ServiceVersion(props: { status: ServiceStatus }) {
  const now = useNow()
  return (
    <section aria-labelledby="version">
      <h2 id="version">Version and backup</h2>
      <Facts>
        <Fact name="Version">{props.status.version}</Fact>
        <Fact name="Running for">
          <time datetime={props.status.started_at} title={formatFullDateTime(props.status.started_at)}>
            {formatDuration(now() - Date.parse(props.status.started_at))}
          </time>
        </Fact>
        <Fact name="Last backup">
          <Show when={props.status.last_backup} fallback="None yet">
            {(backup) => (
              <>
                <time datetime={backup().completed_at} title={formatFullDateTime(backup().completed_at)}>
                  {formatDateTime(backup().completed_at, now())}
                </time>
                , {formatBytes(backup().size)}
              </>
            )}
          </Show>
        </Fact>
      </Facts>
    </section>
  )
}
