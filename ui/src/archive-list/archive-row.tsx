import { A } from '@solidjs/router'
import Download from 'lucide-solid/icons/download'
import { createMemo, createUniqueId, Show } from 'solid-js'
import type { JobListItem } from '../api/types.ts'
import { IconButton } from '../base/button.tsx'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatFullDateTime,
  formatPercent,
  formatRelative,
} from '../base/format.ts'
import type { Message } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { useNow } from '../base/now.ts'
import { useRowTabIndex } from '../base/row-focus.ts'
import { archiveListCopy } from '../language/english/archive-list.ts'
import { baseCopy } from '../language/english/base.ts'
import { download } from './archive-actions.ts'
import { ArchiveMenu } from './archive-menu.tsx'
import styles from './archive-row.module.css'
import {
  archiveState,
  doneFraction,
  failureMessage,
  isActive,
  missingCount,
  STATE_LABELS,
} from './archive-state.ts'
import { Miniature } from './miniature.tsx'
import type { ArchiveSelection } from './selection.ts'
import { StateIcon } from './state-icon.tsx'

export interface ArchiveRowProps {
  job: JobListItem
  selection?: ArchiveSelection | undefined
  /** The row has the focus. */
  onFocus: () => void
}

/** An archive in a list. The row links to its page, or selects the archive. */
export function ArchiveRow(props: ArchiveRowProps) {
  const now = useNow()
  const state = createMemo(() => archiveState(props.job, now()))
  const copy = archiveListCopy.row
  const boxId = createUniqueId()
  const tabIndex = useRowTabIndex()
  return (
    <li class={styles.row} data-key={props.job.id} onFocusIn={() => props.onFocus()}>
      <Show
        when={props.selection?.isOn() && props.selection}
        fallback={<StateIcon state={state()} fraction={doneFraction(props.job)} />}
      >
        {(selection) => (
          <span class={styles.box}>
            <input
              id={boxId}
              type="checkbox"
              data-column="name"
              tabindex={tabIndex()}
              checked={selection().has(props.job.id)}
              onClick={(event) => selection().toggle(props.job.id, event.shiftKey)}
            />
          </span>
        )}
      </Show>
      <div class={styles.text}>
        <Show
          when={props.selection?.isOn()}
          fallback={
            <A
              class={styles.name}
              data-column="name"
              tabindex={tabIndex()}
              href={`/archives/${props.job.id}`}
            >
              {props.job.zip_filename}
            </A>
          }
        >
          <label class={styles.name} for={boxId}>
            {props.job.zip_filename}
          </label>
        </Show>
        <p class={styles.summary}>
          <span class={styles.state} data-state={state()}>
            {STATE_LABELS[state()]}
          </span>
          <Show when={missingCount(props.job) > 0}>
            {' · '}
            <span class={styles.missing}>{copy.leftOut(formatCount(missingCount(props.job)))}</span>
          </Show>
          <Show when={props.job.warning_count > 0}>
            {' · '}
            <span class={styles.missing}>{copy.toCheck(formatCount(props.job.warning_count))}</span>
          </Show>
          {' · '}
          <MessageText message={summaryOf(props.job)} />
        </p>
      </div>
      <Show when={props.job.sample?.length ? props.job.sample : null}>
        {(files) => <Miniature files={files()} lacksFailed={lacksFailed(props.job)} />}
      </Show>
      <div class={styles.times}>
        <time
          class={styles.created}
          datetime={props.job.created_at}
          title={copy.created(formatFullDateTime(props.job.created_at))}
        >
          {formatDateTime(props.job.created_at, now())}
        </time>
        <Show when={state() === 'ready' && props.job.expires_at}>
          {(expiresAt) => (
            <time
              class={styles.expires}
              datetime={expiresAt()}
              title={copy.expires(formatFullDateTime(expiresAt()))}
            >
              {copy.expires(formatRelative(expiresAt(), now()))}
            </time>
          )}
        </Show>
      </div>
      <div class={styles.actions}>
        <Show when={state() === 'ready'}>
          <span class={styles.download}>
            <IconButton
              data-column="download"
              tabindex={tabIndex()}
              label={copy.download(props.job.zip_filename)}
              onClick={() => void download(props.job.id)}
            >
              <Download size={20} aria-hidden="true" />
            </IconButton>
          </span>
        </Show>
        <ArchiveMenu job={props.job} state={state()} />
      </div>
    </li>
  )
}

/** Whether the files that are not in the archive have failed, and were not just never tried. */
function lacksFailed(job: JobListItem): boolean {
  return !isActive(job) && job.failure?.code !== 'CANCELLED'
}

function summaryOf(job: JobListItem): Message {
  switch (job.status) {
    case 'pending':
      return baseCopy.links(job.url_count)
    case 'processing':
      return [
        formatPercent(doneFraction(job)),
        archiveListCopy.row.packed(formatCount(job.file_count), baseCopy.files(job.url_count)),
        formatBytes(job.zip_size),
      ].join(' · ')
    case 'completed':
      return `${baseCopy.files(job.file_count)} · ${formatBytes(job.zip_size)}`
    case 'failed':
      return job.failure?.code === 'CANCELLED' ? baseCopy.links(job.url_count) : failureMessage(job)
  }
}
