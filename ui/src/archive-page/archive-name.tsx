import Pencil from 'lucide-solid/icons/pencil'
import { createSignal, Show } from 'solid-js'
import { changeJob } from '../api/jobs.ts'
import type { Job } from '../api/types.ts'
import { messageOf } from '../base/message.ts'
import { showToast } from '../base/toasts.tsx'
import { archivePageCopy } from '../language/english/archive-page.ts'
import styles from './archive-name.module.css'

/** The name of an archive, which a click makes editable. Enter and leaving the field save it, Escape does not. */
export function ArchiveName(props: { job: Job; onChanged: () => void }) {
  const [edited, setEdited] = createSignal<string | null>(null)
  let button: HTMLButtonElement | undefined

  async function save() {
    const name = edited()?.trim()
    setEdited(null)
    if (name === undefined || name === '' || name === withoutEnding(props.job.zip_filename)) return
    try {
      await changeJob(props.job.id, { zip_filename: name })
      props.onChanged()
    } catch (error) {
      showToast({ text: messageOf(error) })
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    if (event.key === 'Enter') void save()
    else setEdited(null)
    button?.focus()
  }

  return (
    <Show
      when={edited() !== null}
      fallback={
        <button
          ref={button}
          type="button"
          class={styles.name}
          title={archivePageCopy.ready.rename}
          onClick={() => setEdited(withoutEnding(props.job.zip_filename))}
        >
          <span class={styles.text}>{props.job.zip_filename}</span>
          <Pencil size={14} aria-hidden="true" />
          <span class="visually-hidden">{archivePageCopy.ready.renameSuffix}</span>
        </button>
      }
    >
      <input
        class={styles.input}
        type="text"
        aria-label={archivePageCopy.ready.name}
        autocomplete="off"
        spellcheck={false}
        maxlength="251"
        value={edited() ?? ''}
        ref={(input) => queueMicrotask(() => input.select())}
        onInput={(event) => setEdited(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void save()}
      />
    </Show>
  )
}

function withoutEnding(name: string): string {
  return name.replace(/\.zip$/, '')
}
