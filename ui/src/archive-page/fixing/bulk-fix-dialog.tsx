import { createMemo, createSignal, For, Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { Button } from '../../base/button.tsx'
import { Dialog, DialogActions } from '../../base/dialog.tsx'
import { Field } from '../../base/field.tsx'
import { showToast } from '../../base/toasts.tsx'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import { controlsCopy } from '../../language/english/controls.ts'
import { linesOf, replaceByLines, replaceText } from './bulk-changes.ts'
import styles from './bulk-fix-dialog.module.css'
import { ChangePreview } from './change-preview.tsx'
import type { LinkFixes } from './link-fixes.ts'

const copy = archivePageCopy.bulk

export interface BulkFixDialogProps {
  failed: readonly Entry[]
  fixes: LinkFixes
  onClose: () => void
}

/** Changes many failed links, by replacing a text or by a pasted column, after a preview. */
export function BulkFixDialog(props: BulkFixDialogProps) {
  const [mode, setMode] = createSignal<(typeof MODES)[number]['mode']>('text')
  const [search, setSearch] = createSignal('')
  const [replacement, setReplacement] = createSignal('')
  const [column, setColumn] = createSignal('')
  const links = createMemo(() =>
    props.failed.map(({ position, url }) => ({ position, url: props.fixes.urlAt(position) ?? url })),
  )
  const lines = createMemo(() => linesOf(column()))
  const changes = createMemo(() =>
    mode() === 'text' ? replaceText(links(), search(), replacement()) : replaceByLines(links(), lines()),
  )
  const possible = createMemo(() => changes().filter(({ problem }) => problem === null))
  const hint = () => {
    if (mode() === 'text') return search() !== '' && changes().length === 0 ? copy.notFound : ''
    return column() === '' ? '' : describeLines(lines().length, links().length)
  }

  function apply(event: SubmitEvent) {
    event.preventDefault()
    if (possible().length === 0) return
    const undo = props.fixes.setAll(possible().map(({ position, to }) => ({ position, url: to })))
    showToast({ text: copy.changed(possible().length), undo })
    props.onClose()
  }

  return (
    <Dialog open isWide title={copy.title} onClose={() => props.onClose()}>
      <form onSubmit={apply}>
        <fieldset class={styles.modes}>
          <legend class="visually-hidden">{copy.modes}</legend>
          <For each={MODES}>
            {({ mode: option, label }) => (
              <label class={styles.mode}>
                <input
                  type="radio"
                  name="mode"
                  checked={mode() === option}
                  onChange={() => setMode(option)}
                />
                {label}
              </label>
            )}
          </For>
        </fieldset>
        <Show
          when={mode() === 'text'}
          fallback={
            <Field label={copy.column}>
              {(id) => (
                <textarea
                  id={id}
                  class={styles.column}
                  rows={5}
                  wrap="off"
                  spellcheck={false}
                  autocomplete="off"
                  placeholder={'https://example.org/report.pdf\nhttps://example.org/photo.jpg'}
                  value={column()}
                  onInput={(event) => setColumn(event.currentTarget.value)}
                />
              )}
            </Field>
          }
        >
          <div class={styles.fields}>
            <TextField label={copy.find} value={search()} onInput={setSearch} />
            <TextField label={copy.replaceWith} value={replacement()} onInput={setReplacement} />
          </div>
        </Show>
        <ChangePreview changes={changes()} hint={hint()} />
        <DialogActions>
          <Button onClick={() => props.onClose()}>{controlsCopy.cancel}</Button>
          <Button type="submit" variant="primary" disabled={possible().length === 0}>
            {possible().length === 0 ? copy.changeNone : copy.change(possible().length)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function describeLines(lineCount: number, linkCount: number): string {
  const counts = [copy.lines(lineCount), copy.failedLinks(linkCount)] as const
  if (lineCount > linkCount) return copy.linesLeft(...counts)
  return lineCount < linkCount ? copy.linksLeft(...counts) : copy.linesFor(...counts)
}

function TextField(props: { label: string; value: string; onInput: (text: string) => void }) {
  return (
    <Field label={props.label}>
      {(id) => (
        <input
          id={id}
          type="text"
          spellcheck={false}
          autocomplete="off"
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

const MODES = [
  { mode: 'text', label: copy.replaceText },
  { mode: 'column', label: copy.pasteColumn },
] as const
