import Pencil from 'lucide-solid/icons/pencil'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { useDocumentTitle } from '../base/page.tsx'
import type { ArchiveName } from './archive-name.ts'
import { draft, typeName } from './draft.ts'
import styles from './name-field.module.css'

/** The name of the new archive as the title of its page, where the name stays when the archive is packed. */
export function NameField(props: { name: ArchiveName }) {
  let field: HTMLInputElement | undefined
  useDocumentTitle(() => 'New archive')

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing) return
    typeName(null)
    field?.select()
  }

  return (
    <div class={styles.header}>
      <h1 class={styles.lead}>New archive</h1>
      <label class={styles.name} title="Rename">
        <span class="visually-hidden">Archive name</span>
        <input
          ref={field}
          class={styles.input}
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxlength={REQUEST_LIMITS.zipFilenameCharacters}
          value={draft().name ?? props.name.proposed()}
          onInput={({ currentTarget }) => typeName(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => draft().name?.trim() === '' && typeName(null)}
        />
        <span class={styles.ending} aria-hidden="true">
          .zip
        </span>
        <Pencil size={18} aria-hidden="true" />
      </label>
    </div>
  )
}
