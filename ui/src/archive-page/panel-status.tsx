import type { ParentProps } from 'solid-js'
import type { Job } from '../api/types.ts'
import { type ArchiveState, doneFraction } from '../archive-list/archive-state.ts'
import { StateIcon } from '../archive-list/state-icon.tsx'
import styles from './archive-panel.module.css'
import type { LinkFixes } from './fixing/link-fixes.ts'
import type { LiveArchive } from './live-archive.ts'

/** The props of the panel; they are the same in every state. */
export interface PanelProps {
  job: Job
  state: ArchiveState
  now: number
  live: LiveArchive
  fixes: LinkFixes
  onResume: (skipOthers: boolean) => void
  /** Links of a ready archive are being corrected. */
  isFixing: boolean
  /** The archive was created on this page, so the focus stays on what becomes its download. */
  isNew: boolean
}

/** The icon, title and description of an archive that isn't running. */
export function PanelStatus(props: ParentProps<PanelProps & { title: string }>) {
  return (
    <div class={styles.status}>
      <StateIcon state={props.state} fraction={doneFraction(props.job)} />
      <div>
        <h2>{props.title}</h2>
        <p class={styles.description}>{props.children}</p>
      </div>
    </div>
  )
}
