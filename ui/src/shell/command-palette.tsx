import { useNavigate } from '@solidjs/router'
import {
  createMemo,
  createResource,
  createSignal,
  createUniqueId,
  For,
  onCleanup,
  onMount,
  Show,
} from 'solid-js'
import { listJobs } from '../api/jobs.ts'
import type { JobListItem } from '../api/types.ts'
import { archiveState, STATE_LABELS } from '../archive-list/archive-state.ts'
import { useNow } from '../base/now.ts'
import { ShortcutKeys } from '../base/shortcut-keys.tsx'
import { STOPPED } from '../base/stopped.ts'
import { commandPaletteCopy } from '../language/english/command-palette.ts'
import styles from './command-palette.module.css'
import { type Command, createCommands, matchingCommands } from './commands.ts'

/** A row of the palette. */
interface Option extends Command {
  readonly detail?: string
}

export interface CommandPaletteProps {
  /** The text to begin with. */
  typed: string
  onClose: () => void
}

/** A dialog that finds pages, archives and actions while one types. */
export function CommandPalette(props: CommandPaletteProps) {
  let dialog: HTMLDialogElement | undefined
  const navigate = useNavigate()
  const now = useNow()
  const listId = createUniqueId()
  const commands = createCommands()
  const [text, setText] = createSignal(props.typed.trim())
  const [chosen, setChosen] = createSignal(0)
  const archives = createFoundArchives(text)

  const archiveOption = (job: JobListItem): Option => ({
    label: job.zip_filename,
    detail: STATE_LABELS[archiveState(job, now())],
    run: () => navigate(`/archives/${job.id}`),
  })
  const options = createMemo<readonly Option[]>(() => [
    ...matchingCommands(commands(), text()),
    ...(archives() ?? []).map(archiveOption),
  ])
  const index = () => Math.min(chosen(), options().length - 1)
  const idOf = (index: number) => `${listId}-${index}`

  function run(option: Option | undefined) {
    if (option === undefined) return
    dialog?.close()
    option.run()
  }

  function move(by: number) {
    const count = options().length
    if (count === 0) return
    setChosen((index() + by + count) % count)
    document.getElementById(idOf(index()))?.scrollIntoView({ block: 'nearest' })
  }

  function onKeyDown(event: KeyboardEvent) {
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => run(options()[index()]),
    }
    const action = actions[event.key]
    if (action === undefined || event.isComposing) return
    event.preventDefault()
    action()
  }

  onMount(() => {
    // A click beside the dialog closes it.
    dialog?.setAttribute('closedby', 'any')
    dialog?.showModal()
  })
  return (
    <dialog
      ref={dialog}
      class={styles.palette}
      aria-label={commandPaletteCopy.title}
      onClose={() => props.onClose()}
    >
      <div class={styles.content}>
        <input
          class={styles.input}
          type="text"
          role="combobox"
          aria-label={commandPaletteCopy.title}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options().length > 0 ? idOf(index()) : undefined}
          placeholder={commandPaletteCopy.placeholder}
          autocomplete="off"
          spellcheck={false}
          maxlength="255"
          value={props.typed}
          onInput={(event) => {
            setText(event.currentTarget.value.trim())
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={listId} class={styles.list} role="listbox" aria-label={commandPaletteCopy.results}>
          <For each={options()}>
            {(option, place) => (
              // The keyboard chooses an option in the text field, which keeps the focus.
              <button
                type="button"
                id={idOf(place())}
                class={styles.option}
                role="option"
                tabindex="-1"
                aria-selected={place() === index()}
                onPointerMove={() => setChosen(place())}
                onClick={() => run(option)}
              >
                <span class={styles.label}>{option.label}</span>
                <span class={styles.detail}>
                  {option.detail}
                  <Show when={option.keys}>{(keys) => <ShortcutKeys keys={keys()} />}</Show>
                </span>
              </button>
            )}
          </For>
        </div>
        <Show when={options().length === 0}>
          <p class={styles.none}>{commandPaletteCopy.none}</p>
        </Show>
      </div>
    </dialog>
  )
}

/** The newest archives that the service finds; it is asked when typing pauses. */
function createFoundArchives(text: () => string) {
  const lifetime = new AbortController()
  onCleanup(() => lifetime.abort(STOPPED))
  const [archives] = createResource<readonly JobListItem[] | undefined, string>(
    text,
    async (search, { value }) => {
      await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE_MS))
      if (search !== text()) return value
      // A page without network still has its commands.
      const found = await listJobs({ count: MAX_ARCHIVES, search }, lifetime.signal).catch(() => undefined)
      return found?.jobs
    },
  )
  return () => archives.latest
}

/** So that the commands stay in view with them. */
const MAX_ARCHIVES = 6
/** Fast typing has shorter pauses, and nobody notices this one. */
const TYPING_PAUSE_MS = 120
