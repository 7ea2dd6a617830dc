import ChevronRight from 'lucide-solid/icons/chevron-right'
import styles from './folder-toggle.module.css'
import { useRowTabIndex } from './row-focus.ts'

export interface FolderToggleProps {
  name: string
  /** What is in it: "3 files". */
  details: string
  isOpen: boolean
  onToggle: () => void
}

/** The name of a folder in a list of files. A press folds it, or opens it again. */
export function FolderToggle(props: FolderToggleProps) {
  const tabIndex = useRowTabIndex()
  return (
    <button
      type="button"
      class={styles.toggle}
      aria-expanded={props.isOpen}
      data-column="name"
      tabindex={tabIndex()}
      onClick={() => props.onToggle()}
    >
      <span class={styles.chevron}>
        <ChevronRight size={18} aria-hidden="true" />
      </span>
      <span class={styles.text}>
        <span class={styles.name}>{props.name}</span>
        <span class={styles.details}>{props.details}</span>
      </span>
    </button>
  )
}
