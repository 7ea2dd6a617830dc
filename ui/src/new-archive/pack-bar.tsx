import { Show } from 'solid-js'
import type { SetStoreFunction } from 'solid-js/store'
import type { Me } from '../api/types.ts'
import { BottomBar } from '../base/bottom-bar.tsx'
import { Button } from '../base/button.tsx'
import { formatCount } from '../base/format.ts'
import { isMac } from '../base/platform.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { PageSource } from '../repeat/page-fields.tsx'
import { type RepeatInterval, RepeatMenu } from '../repeat/repeat-menu.tsx'
import { ArchiveOptionFields, type ArchiveOptions } from './archive-options.tsx'
import { shortHostOf } from './draft-links.ts'
import styles from './pack-bar.module.css'

const copy = newArchiveCopy.pack

export interface PackBarProps {
  linkCount: number
  /** How many files one archive can hold. */
  maxLinks: number
  busy: boolean
  options: ArchiveOptions
  setOptions: SetStoreFunction<ArchiveOptions>
  limits: Me['limits'] | undefined
  onPack: () => void
  /** Makes the list a repeating one. */
  onRepeat: (every: RepeatInterval) => void
  onRepeatCustom: () => void
  /** The page that the links come from; null for none. */
  page: PageSource | null
  onRepeatPage: () => void
  /** Leaves out all links that one archive can't hold. */
  onKeepFirst: () => void
}

/** Stays at the bottom of the window: the options as a summary, and the button that packs, in several archives if one is too small. */
export function PackBar(props: PackBarProps) {
  const archiveCount = () => Math.ceil(props.linkCount / props.maxLinks)
  const label = () => (archiveCount() > 1 ? copy.createSeveral(archiveCount()) : copy.pack(props.linkCount))
  return (
    <BottomBar>
      <form
        class={styles.content}
        onSubmit={(event) => {
          event.preventDefault()
          props.onPack()
        }}
      >
        <ArchiveOptionFields
          options={props.options}
          setOptions={props.setOptions}
          minRetentionSeconds={props.limits?.min_retention_seconds ?? 0}
          maxRetentionSeconds={props.limits?.max_retention_seconds ?? Number.POSITIVE_INFINITY}
        />
        <div class={styles.action}>
          <Show when={archiveCount() > 1}>
            <Button variant="ghost" disabled={props.busy} onClick={() => props.onKeepFirst()}>
              {copy.keepFirst(formatCount(props.maxLinks))}
            </Button>
          </Show>
          <p class={styles.shortcut}>
            <kbd>{isMac() ? '⌘' : 'Ctrl'}</kbd> <kbd>Enter</kbd>
          </p>
          <RepeatMenu
            size="large"
            disabled={props.busy}
            minScheduleSeconds={props.limits?.min_schedule_seconds ?? 0}
            onChoose={props.onRepeat}
            onCustom={props.onRepeatCustom}
            page={props.page && { host: shortHostOf(props.page.url), onChoose: props.onRepeatPage }}
          />
          <Button type="submit" variant="primary" size="large" disabled={props.busy}>
            {props.busy ? copy.packing : label()}
          </Button>
        </div>
      </form>
    </BottomBar>
  )
}
