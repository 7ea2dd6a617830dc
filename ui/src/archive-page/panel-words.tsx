import type { ParentProps } from 'solid-js'
import type { Job } from '../api/types.ts'
import { type ArchiveState, doneFraction } from '../archive-list/archive-state.ts'
import { StateIcon } from '../archive-list/state-icon.tsx'
import styles from './archive-panel.module.css'
import type { LinkFixes } from './entries/link-fixes.ts'
import type { LiveArchive } from './live-archive.ts'

/** What the panel of an archive knows, whatever the state. */
export interface PanelProps {
  job: Job
  state: ArchiveState
  now: number
  live: LiveArchive
  fixes: LinkFixes
  onResume: (skipOthers: boolean) => void
}

/** The state of an archive that does not run, in words. */
export function PanelWords(props: ParentProps<PanelProps & { title: string }>) {
  return (
    <div class={styles.words}>
      <StateIcon state={props.state} fraction={doneFraction(props.job)} />
      <div>
        <h2>{props.title}</h2>
        <p class={styles.story}>{props.children}</p>
      </div>
    </div>
  )
}
