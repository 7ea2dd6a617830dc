import { A } from '@solidjs/router'
import CircleAlert from 'lucide-solid/icons/circle-alert'
import { createUniqueId, Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { type FileKind, kindOfFile } from '../../base/file-kind.ts'
import { formatBytes, formatCount } from '../../base/format.ts'
import kindColours from '../../base/kind-colours.module.css'
import { inEnglish, type Message, wordsOfService } from '../../base/message.ts'
import { MessageText, MessageTitle } from '../../base/message-text.tsx'
import { useRowTabIndex } from '../../base/row-focus.ts'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import { STATUS_LABELS, statusOf } from '../../map/entry-status.ts'
import { entryTitle } from '../../map/entry-title.ts'
import { errorMessage } from '../../map/error-text.ts'
import { warningText } from '../../map/warning-text.ts'
import { canPreview } from '../../preview/preview-kind.ts'
import { Thumbnail } from '../../preview/thumbnail.tsx'
import type { LinkFixes } from '../fixing/link-fixes.ts'
import styles from './entry-row.module.css'
import { ChosenFix, FixChoices, hasActions, type OnFix, RowActions } from './row-actions.tsx'

export interface EntryRowProps {
  entry: Entry
  /** Among the rows of the table, from 0. */
  index: number
  /** The corrections of links; null if they are not being corrected. */
  fixes: LinkFixes | null
  /** Begins to fix a link of a ready archive; null where that can't be done. */
  onFix: OnFix | null
  /** The row has the focus. */
  onFocus: () => void
  onHighlight: (position: number | null) => void
  /** Opens the files of a ready archive; null before. */
  token: string | null
  onPreview: (position: number) => void
}

/** An entry: its name and URL, or for one that failed or looks wrong a field to correct its URL. */
export function EntryRow(props: EntryRowProps) {
  const fixes = () => (['failed', 'check'].includes(statusOf(props.entry)) ? props.fixes : null)
  return (
    <tr
      // Counted from 1, with the header.
      aria-rowindex={props.index + 2}
      data-key={props.index}
      tabindex="-1"
      class={styles.row}
      data-position={props.entry.position}
      onPointerEnter={() => props.onHighlight(props.entry.position)}
      onPointerLeave={() => props.onHighlight(null)}
      onFocusIn={() => {
        props.onFocus()
        props.onHighlight(props.entry.position)
      }}
      onFocusOut={() => props.onHighlight(null)}
    >
      <td class={styles.number}>{formatCount(props.entry.position + 1)}</td>
      <td class={styles.file} colspan={fixes() === null ? 1 : 2}>
        <div class={styles.cell}>
          <Show when={fixes() === null && packedFile(props)}>
            {(packed) => <Thumbnail file={packed().file} token={packed().token} />}
          </Show>
          <div class={styles.text}>
            <Show
              when={fixes()}
              fallback={
                <>
                  <EntryName {...props} />
                  <Show
                    when={hasActions(props.entry, props.onFix)}
                    fallback={
                      <p class={styles.url} title={props.entry.url}>
                        {props.entry.url}
                      </p>
                    }
                  >
                    <RowActions entry={props.entry} onFix={props.onFix} />
                  </Show>
                </>
              }
            >
              {(fixes) => <LinkFix entry={props.entry} fixes={fixes()} />}
            </Show>
            <p class={styles.statusBelow}>
              <Status entry={props.entry} />
            </p>
          </div>
        </div>
      </td>
      <Show when={fixes() === null}>
        <td class={styles.size}>{sizeText(props.entry)}</td>
      </Show>
      <td class={styles.statusColumn}>
        <Status entry={props.entry} />
      </td>
    </tr>
  )
}

/** The name, which opens the file if a browser can show it. */
function EntryName(props: EntryRowProps) {
  const tabIndex = useRowTabIndex()
  const title = () => entryTitle(props.entry)
  const isViewable = () => {
    const file = packedFile(props)?.file
    return file !== undefined && canPreview(file)
  }
  return (
    <p class={styles.name} title={title()}>
      <Show when={isViewable()} fallback={title()}>
        <button
          type="button"
          class={styles.preview}
          data-column="name"
          tabindex={tabIndex()}
          onClick={() => props.onPreview(props.entry.position)}
        >
          {title()}
        </button>
      </Show>
    </p>
  )
}

/** A file that can be opened out of the archive. */
function packedFile({ entry, token }: EntryRowProps) {
  const { position, name, size, status } = entry
  return token !== null && status === 'stored' && name !== null
    ? { file: { position, name, size }, token }
    : null
}

function Status(props: { entry: Entry }) {
  const tabIndex = useRowTabIndex()
  return (
    <span class={styles.status} data-status={statusOf(props.entry)}>
      <span
        class={`${styles.dot} ${kindColours.kind}`}
        data-kind={waitingKind(props.entry)}
        aria-hidden="true"
      />
      <Show
        when={props.entry.warning?.code === 'LOGIN_REFUSED'}
        fallback={
          <span class={styles.statusText}>
            <StatusText entry={props.entry} />
          </span>
        }
      >
        <A href="/account/sites" class={styles.statusText} data-column="status" tabindex={tabIndex()}>
          <StatusText entry={props.entry} />
        </A>
      </Show>
    </span>
  )
}

function StatusText(props: { entry: Entry }) {
  return (
    <MessageTitle title={titleOf(props.entry)}>
      <MessageText message={statusMessage(props.entry)} />
    </MessageTitle>
  )
}

/** The error as programs read it, or what to do about a file that looks wrong. */
function titleOf({ error, warning }: Entry): Message | undefined {
  if (error !== null) return inEnglish(error)
  return warning === null ? undefined : wordsOfService(warning.message)
}

/** The map shows a waiting file in the colour of its kind. */
function waitingKind({ status, name, url }: Entry): FileKind | undefined {
  return status === 'waiting' ? kindOfFile(name, url) : undefined
}

function statusMessage({ error, status, warning, change }: Entry): Message {
  if (warning !== null) return warningText(warning)
  if (change !== undefined && status === 'stored') return archivePageCopy.files.changes[change]
  return error === null ? STATUS_LABELS[status] : errorMessage(error)
}

/** Moves the focus to the next URL field, so that all links can be corrected by keyboard. */
function focusNext(field: HTMLElement): void {
  field.closest('tr')?.nextElementSibling?.querySelector('input')?.focus()
}

function sizeText({ size, status }: Entry): string {
  return size > 0 || status === 'stored' ? formatBytes(size) : ''
}

/** What is to become of a failed link: a field for a new URL, or what was chosen instead. */
function LinkFix(props: { entry: Entry; fixes: LinkFixes }) {
  const choice = () => props.fixes.choiceAt(props.entry.position)
  return (
    <Show when={choice()} fallback={<UrlField entry={props.entry} fixes={props.fixes} />}>
      {(choice) => (
        <>
          <p class={styles.name} title={props.entry.url}>
            {entryTitle(props.entry)}
          </p>
          <ChosenFix entry={props.entry} choice={choice()} fixes={props.fixes} />
        </>
      )}
    </Show>
  )
}

function UrlField(props: { entry: Entry; fixes: LinkFixes }) {
  const tabIndex = useRowTabIndex()
  const problemId = createUniqueId()
  const problem = () => props.fixes.problemAt(props.entry.position)
  return (
    <div class={styles.field}>
      <input
        class={styles.input}
        data-column="name"
        tabindex={tabIndex()}
        type="url"
        inputmode="url"
        spellcheck={false}
        autocomplete="off"
        aria-label={archivePageCopy.row.url(formatCount(props.entry.position + 1))}
        aria-invalid={problem() !== undefined}
        aria-describedby={problem() === undefined ? undefined : problemId}
        data-changed={props.fixes.urlAt(props.entry.position) === undefined ? undefined : ''}
        value={props.fixes.urlAt(props.entry.position) ?? props.entry.url}
        onInput={(event) => props.fixes.set(props.entry.position, event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && focusNext(event.currentTarget)}
      />
      <FixChoices entry={props.entry} fixes={props.fixes} />
      <Show when={problem()}>
        {(problem) => (
          <p id={problemId} class={styles.problem}>
            <CircleAlert size={14} aria-hidden="true" />
            <MessageText message={problem()} />
          </p>
        )}
      </Show>
    </div>
  )
}
