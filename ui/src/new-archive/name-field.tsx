import Pencil from 'lucide-solid/icons/pencil'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { useDocumentTitle } from '../base/page.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { NameOfDraft } from './archive-name.ts'
import { draft, typeName } from './draft.ts'
import styles from './name-field.module.css'

/** The name of the new archive as the title of its page, where the name stays when the archive is packed. */
export function NameField(props: { name: NameOfDraft }) {
  let field: HTMLInputElement | undefined
  useDocumentTitle(() => newArchiveCopy.title)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing) return
    typeName(null)
    field?.select()
  }

  return (
    <div class={styles.header}>
      <h1 class={styles.lead}>{newArchiveCopy.title}</h1>
      <label class={styles.name} title={newArchiveCopy.rename}>
        <span class="visually-hidden">{newArchiveCopy.name}</span>
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
