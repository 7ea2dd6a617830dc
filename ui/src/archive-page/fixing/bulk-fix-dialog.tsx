import { createMemo, createSignal, For, Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { Button } from '../../base/button.tsx'
import { Dialog, DialogActions } from '../../base/dialog.tsx'
import { Field } from '../../base/field.tsx'
import { countOf } from '../../base/format.ts'
import { showToast } from '../../base/toasts.tsx'
import { linesOf, replaceByLines, replaceText } from './bulk-changes.ts'
import styles from './bulk-fix-dialog.module.css'
import { ChangePreview } from './change-preview.tsx'
import type { LinkFixes } from './link-fixes.ts'

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
    if (mode() === 'text')
      return search() !== '' && changes().length === 0 ? 'No failed link contains this text.' : ''
    return column() === '' ? '' : describeLines(lines().length, links().length)
  }

  function apply(event: SubmitEvent) {
    event.preventDefault()
    if (possible().length === 0) return
    const undo = props.fixes.setAll(possible().map(({ position, to }) => ({ position, url: to })))
    showToast({ text: `${countOf(possible().length, 'link')} changed`, undo })
    props.onClose()
  }

  return (
    <Dialog open isWide title="Fix several at once" onClose={() => props.onClose()}>
      <form onSubmit={apply}>
        <fieldset class={styles.modes}>
          <legend class="visually-hidden">How to fix them</legend>
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
            <Field label="New links, one per line, in the order of the failed links">
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
            <TextField label="Find" value={search()} onInput={setSearch} />
            <TextField label="Replace with" value={replacement()} onInput={setReplacement} />
          </div>
        </Show>
        <ChangePreview changes={changes()} hint={hint()} />
        <DialogActions>
          <Button onClick={() => props.onClose()}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={possible().length === 0}>
            {possible().length === 0 ? 'Change links' : `Change ${countOf(possible().length, 'link')}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function describeLines(lineCount: number, linkCount: number): string {
  const counts = `${countOf(lineCount, 'line')} for ${countOf(linkCount, 'failed link')}.`
  if (lineCount > linkCount) return `${counts} Lines left over are ignored.`
  return lineCount < linkCount ? `${counts} Links left over stay as they are.` : counts
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
  { mode: 'text', label: 'Replace text' },
  { mode: 'column', label: 'Paste a column' },
] as const
