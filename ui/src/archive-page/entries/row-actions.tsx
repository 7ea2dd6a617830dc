import ExternalLink from 'lucide-solid/icons/external-link'
import Pencil from 'lucide-solid/icons/pencil'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import X from 'lucide-solid/icons/x'
import { Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { IconButton } from '../../base/button.tsx'
import { statusOf } from '../../map/entry-status.ts'
import { entryTitle } from '../../map/entry-title.ts'
import type { LinkFixes } from '../fixing/link-fixes.ts'
import type { LinkChoice } from '../fixing/saved-fixes.ts'
import styles from './row-actions.module.css'

/** Begins to fix the link at a position: with a choice, or to edit it. */
export type OnFix = (position: number, choice: LinkChoice | null) => void

/** Whether something can be done about a file: it looks wrong, or its link has failed and the archive is ready. */
export function hasActions(entry: Entry, onFix: OnFix | null): boolean {
  return statusOf(entry) === 'check' || (entry.status === 'failed' && onFix !== null)
}

/** What to do about a file that looks wrong, or a link that failed: to see what the link gives, and to change it. */
export function RowActions(props: { entry: Entry; onFix: OnFix | null }) {
  const file = () => entryTitle(props.entry)
  const isFailed = () => props.entry.status === 'failed'
  return (
    <p class={styles.actions} data-row-actions="">
      <a
        href={props.entry.url}
        target="_blank"
        rel="noreferrer"
        title={props.entry.url}
        aria-label={`Open the link of ${file()}`}
      >
        <ExternalLink size={14} aria-hidden="true" />
        <span class={styles.label}>Open</span>
      </a>
      <Show when={props.onFix}>
        {(onFix) => (
          <>
            <button
              type="button"
              aria-label={`${isFailed() ? 'Retry' : 'Leave out'} ${file()}`}
              onClick={() => onFix()(props.entry.position, isFailed() ? 'retry' : 'leave out')}
            >
              <Show when={isFailed()} fallback={<X size={14} aria-hidden="true" />}>
                <RotateCw size={14} aria-hidden="true" />
              </Show>
              <span class={styles.label}>{isFailed() ? 'Retry' : 'Leave out'}</span>
            </button>
            <button
              type="button"
              aria-label={`${isFailed() ? 'Edit' : 'Replace'} ${file()}`}
              onClick={() => onFix()(props.entry.position, null)}
            >
              <Pencil size={14} aria-hidden="true" />
              <span class={styles.label}>{isFailed() ? 'Edit' : 'Replace'}</span>
            </button>
          </>
        )}
      </Show>
    </p>
  )
}

/** Beside the field of a link: to fetch it again as it is, or to go on without it. */
export function FixChoices(props: { entry: Entry; fixes: LinkFixes }) {
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
          label={`Retry ${entryTitle(props.entry)}`}
          onClick={(event) => choose(event.currentTarget, 'retry')}
        >
          <RotateCw size={18} aria-hidden="true" />
        </IconButton>
      </Show>
      <IconButton
        label={`Leave out ${entryTitle(props.entry)}`}
        onClick={(event) => choose(event.currentTarget, 'leave out')}
      >
        <X size={18} aria-hidden="true" />
      </IconButton>
    </>
  )
}

/** What was chosen for a link, and the way back to its field. */
export function ChosenFix(props: { entry: Entry; choice: LinkChoice; fixes: LinkFixes }) {
  function edit(button: HTMLElement) {
    const row = button.closest('tr')
    props.fixes.choose(props.entry.position, null)
    row?.querySelector('input')?.focus()
  }
  return (
    <p class={styles.chosen}>
      {props.choice === 'retry' ? 'Will be fetched again' : 'Will be left out'}
      <button
        type="button"
        data-edit=""
        aria-label={`Edit ${entryTitle(props.entry)}`}
        onClick={(event) => edit(event.currentTarget)}
      >
        <Pencil size={14} aria-hidden="true" />
        Edit
      </button>
    </p>
  )
}
