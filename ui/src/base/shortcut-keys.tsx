import { For, Show } from 'solid-js'
import { controlsCopy } from '../language/english/controls.ts'
import { isMac } from './platform.ts'

/** The keys of a shortcut: "g then a", "Ctrl K". */
export function ShortcutKeys(props: { keys: readonly string[] }) {
  return (
    <For each={props.keys}>
      {(key, index) => (
        <>
          {index() > 0 ? ` ${controlsCopy.nextKey} ` : ''}
          <Show when={key.startsWith('Mod+')} fallback={<kbd>{key}</kbd>}>
            <kbd>{isMac() ? '⌘' : 'Ctrl'}</kbd> <kbd>{nameOf(key.slice('Mod+'.length))}</kbd>
          </Show>
        </>
      )}
    </For>
  )
}

function nameOf(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key
}
