import Download from 'lucide-solid/icons/download'
import File from 'lucide-solid/icons/file'
import { createSignal } from 'solid-js'
import { createPolling } from '../api/polling.ts'
import { listSharedFiles } from '../api/shared.ts'
import type { SharedFile } from '../api/types.ts'
import { iconButtonClass } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { formatBytes } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { ListSection } from '../base/list-section.tsx'
import { ShowMore } from '../base/show-more.tsx'

const PAGE_SIZE = 100
/** The files of a finished archive stay as they are. */
const REFRESH_MS = 86_400_000

/** The files of a finished archive, each of which can be downloaded by itself. */
export function SharedFiles(props: { token: string }) {
  const [count, setCount] = createSignal(PAGE_SIZE)
  const loaded = createPolling(
    (signal) => listSharedFiles(props.token, count(), signal),
    () => REFRESH_MS,
  )
  const files = { value: () => loaded.value()?.items, error: loaded.error, refresh: loaded.refresh }
  const hasMore = () => (loaded.value()?.total ?? 0) > (loaded.value()?.items.length ?? 0)
  const showMore = () => {
    setCount((count) => count + PAGE_SIZE)
    loaded.refresh()
  }
  return (
    <>
      <ListSection
        title="Files"
        source={files}
        empty={<EmptyState title="No files" text="This archive is empty." />}
      >
        {(file) => <SharedFileRow file={file} token={props.token} />}
      </ListSection>
      <ShowMore when={hasMore()} onShowMore={showMore} />
    </>
  )
}

function SharedFileRow(props: { file: SharedFile; token: string }) {
  const label = () => `Download ${props.file.name}`
  return (
    <ListRow
      icon={File}
      tone="muted"
      isCompact
      title={props.file.name}
      details={<span>{formatBytes(props.file.size)}</span>}
    >
      <a
        class={iconButtonClass}
        href={`/download/${props.token}/entries/${props.file.position}`}
        download=""
        aria-label={label()}
        title={label()}
      >
        <Download size={20} aria-hidden="true" />
      </a>
    </ListRow>
  )
}
