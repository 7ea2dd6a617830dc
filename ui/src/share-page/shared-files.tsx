import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { createMemo, createSignal, Match, Show, Switch } from 'solid-js'
import { createPolling } from '../api/polling.ts'
import { listSharedFiles } from '../api/shared.ts'
import type { SharedFile } from '../api/types.ts'
import { Card } from '../base/card.tsx'
import { formatCount } from '../base/format.ts'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import type { RowTarget } from '../base/virtual-list.tsx'
import { ArchiveMap } from '../map/archive-map.tsx'
import type { EntryRows } from '../map/entry-table.ts'
import { SharedFileList } from './shared-file-list.tsx'
import styles from './shared-files.module.css'

/** The files of a finished archive as a map and as a list. */
export function SharedFiles(props: { token: string }) {
  const files = createPolling(
    async (signal) => ({ list: await listSharedFiles(props.token, signal) }),
    () => REFRESH_MS,
  )
  return (
    <Card class={styles.card}>
      <Switch fallback={<ListSkeleton />}>
        <Match when={files.value()}>
          {(found) => <FoundFiles files={found().list} token={props.token} />}
        </Match>
        <Match when={files.error()}>
          {(error) => <ListError text={error().message} onRetry={files.refresh} />}
        </Match>
      </Switch>
    </Card>
  )
}

function FoundFiles(props: { files: readonly SharedFile[]; token: string }) {
  const [highlighted, setHighlighted] = createSignal<number | null>(null)
  const [target, setTarget] = createSignal<RowTarget | null>(null)
  const rows = createMemo(() => props.files.map(toEntry))
  const wrong = createMemo(() => props.files.filter(({ warning }) => warning !== null).length)
  const entries: EntryRows = {
    rows,
    counts: () => ({ waiting: 0, fetching: 0, stored: rows().length - wrong(), check: wrong(), failed: 0 }),
    onChange: () => () => {},
  }
  return (
    <>
      <div class={styles.map}>
        <ArchiveMap
          entries={entries}
          place="above"
          count={rows().length}
          highlighted={highlighted()}
          onSelect={(index) => setTarget({ index, control: 'a', isFromElsewhere: true })}
        />
      </div>
      <Show when={wrong() > 0}>
        <p class={styles.warning}>
          <TriangleAlert size={18} aria-hidden="true" />
          {wrong() === 1
            ? '1 file may not be what its name says'
            : `${formatCount(wrong())} files may not be what their names say`}
        </p>
      </Show>
      <SharedFileList
        files={props.files}
        token={props.token}
        target={target()}
        onHighlight={setHighlighted}
      />
    </>
  )
}

/** The map has a cell for each file of the archive, and none for a link that was left out. */
function toEntry({ name, size, warning }: SharedFile, index: number) {
  return {
    position: index,
    url: '',
    name,
    size,
    expected_size: null,
    status: 'stored',
    error: null,
    warning,
  } as const
}

/** The files of a finished archive stay as they are. */
const REFRESH_MS = 86_400_000
