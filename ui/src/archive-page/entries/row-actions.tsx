import ExternalLink from 'lucide-solid/icons/external-link'
import Pencil from 'lucide-solid/icons/pencil'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import X from 'lucide-solid/icons/x'
import { Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { IconButton } from '../../base/button.tsx'
import { useRowTabIndex } from '../../base/row-focus.ts'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import { statusOf } from '../../map/entry-status.ts'
import { entryTitle } from '../../map/entry-title.ts'
import type { LinkFixes } from '../fixing/link-fixes.ts'
import type { LinkChoice } from '../fixing/saved-fixes.ts'
import styles from './row-actions.module.css'

const copy = archivePageCopy.row

/** Begins to fix the link at a position: with a choice, or to edit it. */
export type OnFix = (position: number, choice: LinkChoice | null) => void

/** Whether something can be done about a file: it looks wrong, or its link has failed and the archive is ready. */
export function hasActions(entry: Entry, onFix: OnFix | null): boolean {
  return statusOf(entry) === 'check' || (entry.status === 'failed' && onFix !== null)
}

/** What to do about a file that looks wrong, or a link that failed: to see what the link gives, and to change it. */
export function RowActions(props: { entry: Entry; onFix: OnFix | null }) {
  const tabIndex = useRowTabIndex()
  const file = () => entryTitle(props.entry)
  const isFailed = () => props.entry.status === 'failed'
  return (
    <p class={styles.actions} data-row-actions="">
      <a
        data-column="open"
        tabindex={tabIndex()}
        href={props.entry.url}
        target="_blank"
        rel="noreferrer"
        title={props.entry.url}
        aria-label={copy.openLink(file())}
      >
        <ExternalLink size={14} aria-hidden="true" />
        <span class={styles.label}>{copy.open}</span>
      </a>
      <Show when={props.onFix}>
        {(onFix) => (
          <>
            <button
              type="button"
              data-column="choose"
              tabindex={tabIndex()}
              aria-label={(isFailed() ? copy.retryFile : copy.leaveOutFile)(file())}
              onClick={() => onFix()(props.entry.position, isFailed() ? 'retry' : 'leave out')}
            >
              <Show when={isFailed()} fallback={<X size={14} aria-hidden="true" />}>
                <RotateCw size={14} aria-hidden="true" />
              </Show>
              <span class={styles.label}>{isFailed() ? copy.retry : copy.leaveOut}</span>
            </button>
            <button
              type="button"
              data-column="edit"
              tabindex={tabIndex()}
              aria-label={(isFailed() ? copy.editFile : copy.replaceFile)(file())}
              onClick={() => onFix()(props.entry.position, null)}
            >
              <Pencil size={14} aria-hidden="true" />
              <span class={styles.label}>{isFailed() ? copy.edit : copy.replace}</span>
            </button>
          </>
        )}
      </Show>
    </p>
  )
}

/** Beside the field of a link: to fetch it again as it is, or to go on without it. */
export function FixChoices(props: { entry: Entry; fixes: LinkFixes }) {
  const tabIndex = useRowTabIndex()

  /** The focus goes to what takes the place of the field. */
  function choose(button: HTMLElement, choice: LinkChoice) {
    const row = button.closest('tr')
    props.fixes.choose(props.entry.position, choice)
    row?.querySelector<HTMLElement>('[data-edit]')?.focus()
  }
  return (
    <>
      <Show when={props.entry.status === 'failed'}>
        <IconButton
          data-column="retry"
          tabindex={tabIndex()}
          label={copy.retryFile(entryTitle(props.entry))}
          onClick={(event) => choose(event.currentTarget, 'retry')}
        >
          <RotateCw size={18} aria-hidden="true" />
        </IconButton>
      </Show>
      <IconButton
        data-column="leave-out"
        tabindex={tabIndex()}
        label={copy.leaveOutFile(entryTitle(props.entry))}
        onClick={(event) => choose(event.currentTarget, 'leave out')}
      >
        <X size={18} aria-hidden="true" />
      </IconButton>
    </>
  )
}

/** What was chosen for a link, and the way back to its field. */
export function ChosenFix(props: { entry: Entry; choice: LinkChoice; fixes: LinkFixes }) {
  const tabIndex = useRowTabIndex()

  function edit(button: HTMLElement) {
    const row = button.closest('tr')
    props.fixes.choose(props.entry.position, null)
    row?.querySelector('input')?.focus()
  }
  return (
    <p class={styles.chosen}>
      {props.choice === 'retry' ? copy.willBeFetched : copy.willBeLeftOut}
      <button
        type="button"
        data-edit=""
        data-column="name"
        tabindex={tabIndex()}
        aria-label={copy.editFile(entryTitle(props.entry))}
        onClick={(event) => edit(event.currentTarget)}
      >
        <Pencil size={14} aria-hidden="true" />
        {copy.edit}
      </button>
    </p>
  )
}
