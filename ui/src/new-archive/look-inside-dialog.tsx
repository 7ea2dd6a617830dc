import { createMemo, createSignal, For, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { fetchPageLinks } from '../api/inspection.ts'
import type { PageLink, PageLinks } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Dialog, DialogActions } from '../base/dialog.tsx'
import { Field } from '../base/field.tsx'
import type { FileKind } from '../base/file-kind.ts'
import { formatCount } from '../base/format.ts'
import { KIND_ICONS } from '../base/kind-icon.ts'
import { type Message, messageOf } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { useRowTabIndex } from '../base/row-focus.ts'
import { STOPPED } from '../base/stopped.ts'
import { VirtualList } from '../base/virtual-list.tsx'
import { baseCopy } from '../language/english/base.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { asFiles, countKinds, filterLinks, matchOf } from './chosen-links.ts'
import { type DraftLink, shortHostOf } from './draft-links.ts'
import styles from './look-inside-dialog.module.css'
import type { Draft } from './saved-draft.ts'

const copy = newArchiveCopy.inside

export interface LookInsideDialogProps {
  url: string
  /** Called with the files to take in place of the page, its title, and how to find its links again. */
  onChosen: (files: readonly DraftLink[], origin: Pick<Draft, 'title' | 'page'>) => void
  onClose: () => void
}

/** The links of a page, to choose from by kind, text and pattern. */
export function LookInsideDialog(props: LookInsideDialogProps) {
  const closed = new AbortController()
  onCleanup(() => closed.abort(STOPPED))
  const [looked, setLooked] = createSignal<Looked>({ isLoading: true })
  const [withFolders, setWithFolders] = createSignal(false)
  const page = () => looked().page
  const [kind, setKind] = createSignal<FileKind | null>(null)
  const [text, setText] = createSignal('')
  /** By address. */
  const [leftOut, setLeftOut] = createSignal<ReadonlySet<string>>(new Set())
  const links = () => page()?.links ?? []
  const shown = createMemo(() => filterLinks(links(), { kind: kind(), text: text() }))
  const chosen = createMemo(() => shown().filter(({ url }) => !leftOut().has(url)))
  const folderCount = () =>
    page()?.meta.type === 'listing' ? links().filter(({ url }) => url.endsWith('/')).length : 0

  async function look(folders: boolean) {
    setWithFolders(folders)
    setLooked({ isLoading: true })
    try {
      const found = await fetchPageLinks(props.url, folders, closed.signal)
      setLooked({ isLoading: false, page: found })
    } catch (error) {
      if (!closed.signal.aborted) setLooked({ isLoading: false, error: messageOf(error) })
    }
  }
  onMount(() => void look(false))

  function toggle(url: string) {
    const changed = new Set(leftOut())
    if (!changed.delete(url)) changed.add(url)
    setLeftOut(changed)
  }

  return (
    <Dialog title={copy.title(shortHostOf(props.url))} open isWide onClose={() => props.onClose()}>
      <Switch>
        <Match when={looked().isLoading}>
          <p role="status" class={styles.status}>
            {copy.looking}
          </p>
        </Match>
        <Match when={looked().error}>
          {(error) => (
            <Alert>
              <p>
                <MessageText message={error()} />
              </p>
              <Button onClick={() => void look(withFolders())}>{baseCopy.tryAgain}</Button>
            </Alert>
          )}
        </Match>
        <Match when={page()}>
          {(found) => (
            <>
              <p class={styles.title}>{found().title}</p>
              <Show when={found().meta.needs_script}>
                <Alert tone="warning">
                  <p>{copy.needsScript}</p>
                </Alert>
              </Show>
              <Show when={found().meta.unread_folders.length > 0}>
                <Alert tone="warning">
                  <p>{copy.unread(found().meta.unread_folders.length)}</p>
                </Alert>
              </Show>
              <Show when={links().length > 0} fallback={<p class={styles.status}>{copy.none}</p>}>
                <KindFilter
                  kind={kind()}
                  counts={countKinds(links())}
                  total={links().length}
                  onKind={setKind}
                />
                <Field label={copy.filter}>
                  {(id) => (
                    <input
                      id={id}
                      value={text()}
                      placeholder={copy.filterPlaceholder}
                      spellcheck={false}
                      autocomplete="off"
                      onInput={(event) => setText(event.currentTarget.value)}
                    />
                  )}
                </Field>
                <Show when={found().meta.total > links().length}>
                  <p class={styles.note}>
                    {copy.first(formatCount(links().length), formatCount(found().meta.total))}
                  </p>
                </Show>
                <Show when={folderCount() > 0 && !withFolders()}>
                  <Button variant="ghost" onClick={() => void look(true)}>
                    {copy.folders(folderCount())}
                  </Button>
                </Show>
                <div class={styles.list}>
                  <VirtualList
                    label={copy.links}
                    items={shown()}
                    rowClass={styles.row}
                    target={null}
                    onHighlight={() => {}}
                    hint={copy.hint}
                  >
                    {(link) => (
                      <LinkRow
                        link={link()}
                        isChosen={!leftOut().has(link().url)}
                        onToggle={() => toggle(link().url)}
                      />
                    )}
                  </VirtualList>
                </div>
              </Show>
            </>
          )}
        </Match>
      </Switch>
      <DialogActions>
        <Button onClick={() => props.onClose()}>{copy.cancel}</Button>
        <Button
          variant="primary"
          disabled={chosen().length === 0}
          onClick={() =>
            props.onChosen(asFiles(chosen(), page()?.meta.type === 'listing'), {
              title: page()?.title || null,
              // Folders of a listing are not read again.
              page: withFolders() ? null : { url: props.url, kind: kind(), match: matchOf(shown(), text()) },
            })
          }
        >
          {copy.add(chosen().length)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function LinkRow(props: { link: PageLink; isChosen: boolean; onToggle: () => void }) {
  const tabIndex = useRowTabIndex()
  return (
    <label class={styles.link} title={props.link.url}>
      <input
        type="checkbox"
        data-column="select"
        tabindex={tabIndex()}
        checked={props.isChosen}
        onChange={() => props.onToggle()}
      />
      <Dynamic component={KIND_ICONS[props.link.kind]} size={18} aria-hidden="true" />
      <span class={styles.text}>{props.link.text || props.link.name}</span>
      <span class={styles.name}>{props.link.name}</span>
    </label>
  )
}

interface Looked {
  readonly isLoading: boolean
  readonly page?: PageLinks
  readonly error?: Message
}

interface KindFilterProps {
  kind: FileKind | null
  counts: readonly (readonly [FileKind, number])[]
  total: number
  onKind: (kind: FileKind | null) => void
}

function KindFilter(props: KindFilterProps) {
  const option = (kind: FileKind | null, label: string, count: number) => (
    <button
      type="button"
      class={styles.kind}
      aria-pressed={props.kind === kind}
      onClick={() => props.onKind(kind)}
    >
      {label} <span class={styles.count}>{formatCount(count)}</span>
    </button>
  )
  return (
    <fieldset class={styles.kinds} aria-label={copy.kinds}>
      {option(null, copy.all, props.total)}
      <For each={props.counts}>{([kind, count]) => option(kind, labelOf(kind), count)}</For>
    </fieldset>
  )
}

function labelOf(kind: FileKind): string {
  const many = controlsCopy.manyKinds[kind]
  return many.slice(0, 1).toUpperCase() + many.slice(1)
}
