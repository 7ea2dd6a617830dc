import { createUniqueId, For } from 'solid-js'
import { Dialog } from '../base/dialog.tsx'
import { ShortcutKeys } from '../base/shortcut-keys.tsx'
import { enableShortcuts, type Shortcut, shortcutsEnabled, workingShortcuts } from '../base/shortcuts.ts'
import { shellCopy } from '../language/english/shell.ts'
import styles from './shortcuts-dialog.module.css'

/** Lists the shortcuts of the current page, with a checkbox to turn shortcuts off. */
export function ShortcutsDialog(props: { open: boolean; onClose: () => void }) {
  const switchId = createUniqueId()
  return (
    <Dialog title={shellCopy.shortcuts.title} open={props.open} onClose={() => props.onClose()}>
      <dl class={styles.list}>
        <For each={workingShortcuts()}>{(shortcut) => <Row shortcut={shortcut} />}</For>
        <div class={styles.row}>
          <dt>{shellCopy.shortcuts.pack}</dt>
          <dd>
            <ShortcutKeys keys={['Mod+Enter']} />
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
        <label for={switchId}>{shellCopy.shortcuts.singleKeys}</label>
      </div>
    </Dialog>
  )
}

function Row(props: { shortcut: Shortcut }) {
  return (
    <div class={styles.row}>
      <dt>{props.shortcut.label}</dt>
      <dd>
        <ShortcutKeys keys={props.shortcut.keys} />
      </dd>
    </div>
  )
}
