import { createMemo, createUniqueId, For } from 'solid-js'
import { Dialog } from '../base/dialog.tsx'
import { isMac } from '../base/platform.ts'
import { enableShortcuts, type Shortcut, shortcuts, shortcutsEnabled } from '../base/shortcuts.ts'
import styles from './shortcut-sheet.module.css'

/** The shortcuts that there are on this page, and the switch for who would rather have none. */
export function ShortcutSheet(props: { open: boolean; onClose: () => void }) {
  const switchId = createUniqueId()
  const shown = createMemo(() => [...new Map(shortcuts().map((one) => [one.keys.join(' '), one])).values()])
  return (
    <Dialog title="Keyboard shortcuts" open={props.open} onClose={() => props.onClose()}>
      <dl class={styles.list}>
        <For each={shown()}>{(shortcut) => <Row shortcut={shortcut} />}</For>
        <div class={styles.row}>
          <dt>Create the archive, from the box of links</dt>
          <dd>
            <kbd>{isMac() ? '⌘' : 'Ctrl'}</kbd> <kbd>Enter</kbd>
          </dd>
        </div>
      </dl>
      <div class={styles.switch}>
        <input
          id={switchId}
          type="checkbox"
          checked={shortcutsEnabled()}
          onChange={(event) => enableShortcuts(event.currentTarget.checked)}
        />
        <label for={switchId}>Use shortcuts of single keys</label>
      </div>
    </Dialog>
  )
}

function Row(props: { shortcut: Shortcut }) {
  return (
    <div class={styles.row}>
      <dt>{props.shortcut.label}</dt>
      <dd>
        <For each={props.shortcut.keys}>
          {(key, index) => (
            <>
              {index() > 0 ? ' then ' : ''}
              <kbd>{key}</kbd>
            </>
          )}
        </For>
      </dd>
    </div>
  )
}
