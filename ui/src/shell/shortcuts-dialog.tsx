import { createMemo, createUniqueId, For } from 'solid-js'
import { Dialog } from '../base/dialog.tsx'
import { isMac } from '../base/platform.ts'
import { enableShortcuts, type Shortcut, shortcuts, shortcutsEnabled } from '../base/shortcuts.ts'
import styles from './shortcuts-dialog.module.css'

/** Lists the shortcuts of the current page, with a checkbox to turn shortcuts off. */
export function ShortcutsDialog(props: { open: boolean; onClose: () => void }) {
  const switchId = createUniqueId()
  const shown = createMemo(() => [
    ...new Map(shortcuts().map((shortcut) => [shortcut.keys.join(' '), shortcut])).values(),
  ])
  return (
    <Dialog title="Keyboard shortcuts" open={props.open} onClose={() => props.onClose()}>
      <dl class={styles.list}>
        <For each={shown()}>{(shortcut) => <Row shortcut={shortcut} />}</For>
        <div class={styles.row}>
          <dt>Create archive (while typing links)</dt>
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
        <label for={switchId}>Single-key shortcuts</label>
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
