import { Show } from 'solid-js'
import type { ServiceStatus } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import { formatBytes, formatDateTime, formatDuration, formatFullDateTime } from '../base/format.ts'
import { useNow } from '../base/now.ts'
import { Sentence } from '../base/sentence.tsx'
import { serviceCopy } from '../language/english/service.ts'

const copy = serviceCopy.version

/** The version, how long it has been running, and the last backup. */
export function ServiceVersion(props: { status: ServiceStatus }) {
  const now = useNow()
  return (
    <section aria-labelledby="version">
      <h2 id="version">{copy.title}</h2>
      <Facts>
        <Fact name={copy.version}>{props.status.version}</Fact>
        <Fact name={copy.runningFor}>
          <time datetime={props.status.started_at} title={formatFullDateTime(props.status.started_at)}>
            {formatDuration(now() - Date.parse(props.status.started_at))}
          </time>
        </Fact>
        <Fact name={copy.lastBackup}>
          <Show when={props.status.last_backup} fallback={copy.noBackup}>
            {(backup) => (
              <Sentence
                text={copy.backup}
                parts={{
                  time: (
                    <time datetime={backup().completed_at} title={formatFullDateTime(backup().completed_at)}>
                      {formatDateTime(backup().completed_at, now())}
                    </time>
                  ),
                  size: formatBytes(backup().size),
                }}
              />
            )}
          </Show>
        </Fact>
      </Facts>
    </section>
  )
}
