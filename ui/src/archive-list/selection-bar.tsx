import CalendarPlus from 'lucide-solid/icons/calendar-plus'
import Download from 'lucide-solid/icons/download'
import Trash from 'lucide-solid/icons/trash'
import X from 'lucide-solid/icons/x'
import { createSignal, createUniqueId, Show } from 'solid-js'
import type { JobListItem } from '../api/types.ts'
import { BottomBar } from '../base/bottom-bar.tsx'
import { Button, IconButton } from '../base/button.tsx'
import { lazyPart } from '../base/lazy-part.tsx'
import { useNow } from '../base/now.ts'
import { archiveListCopy } from '../language/english/archive-list.ts'
import { deleteWithUndo, downloadAll } from './archive-actions.ts'
import { archiveState } from './archive-state.ts'
import type { ArchiveSelection } from './selection.ts'
import styles from './selection-bar.module.css'

const KeepLongerDialog = lazyPart(async () => (await import('./keep-longer-dialog.tsx')).KeepLongerDialog)

/** Stays at the bottom of the window while archives can be selected: what to do with the selected ones. */
export function ArchiveSelectionBar(props: { selection: ArchiveSelection }) {
  const copy = archiveListCopy.selection
  const now = useNow()
  const allId = createUniqueId()
  const [kept, setKept] = createSignal<readonly JobListItem[]>()
  const selected = () => props.selection.selected()
  const ready = () => selected().filter((job) => archiveState(job, now()) === 'ready')
  const unexpired = () => selected().filter((job) => archiveState(job, now()) !== 'expired')
  const remove = () => {
    deleteWithUndo(selected())
    props.selection.end()
  }
  return (
    <>
      <BottomBar>
        <section class={styles.content} aria-label={copy.title}>
          <div class={styles.all}>
            <input
              id={allId}
              type="checkbox"
              checked={props.selection.isAll()}
              onChange={() => props.selection.toggleAll()}
            />
            <label for={allId}>{archiveListCopy.all}</label>
          </div>
          <p class={styles.count} role="status">
            {copy.count(selected().length)}
          </p>
          <Button
            disabled={ready().length === 0}
            onClick={() => void downloadAll(ready().map(({ id }) => id))}
          >
            <Download size={18} aria-hidden="true" />
            {copy.download}
          </Button>
          <Button disabled={unexpired().length === 0} onClick={() => setKept(unexpired())}>
            <CalendarPlus size={18} aria-hidden="true" />
            {copy.keepLonger}
          </Button>
          <Button disabled={selected().length === 0} onClick={remove}>
            <Trash size={18} aria-hidden="true" />
            {copy.delete}
          </Button>
          <IconButton label={copy.stop} onClick={() => props.selection.end()}>
            <X size={20} aria-hidden="true" />
          </IconButton>
        </section>
      </BottomBar>
      <Show when={kept()}>
        {(jobs) => (
          <KeepLongerDialog
            jobs={jobs()}
            onKept={() => props.selection.end()}
            onClose={() => setKept(undefined)}
          />
        )}
      </Show>
    </>
  )
}
