import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createMemo, createUniqueId, For } from 'solid-js'
import type { SetStoreFunction } from 'solid-js/store'
import { Checkbox } from '../base/checkbox.tsx'
import { formatDuration } from '../base/format.ts'
import styles from './archive-options.module.css'
import { MetadataFields, type MetadataRow } from './metadata-fields.tsx'

export interface ArchiveOptions {
  retentionSeconds: number
  skipFailed: boolean
  /** Whether the archive gets a list of its sources and of their checksums. */
  hasManifest: boolean
  metadata: MetadataRow[]
}

export interface ArchiveOptionsProps {
  options: ArchiveOptions
  setOptions: SetStoreFunction<ArchiveOptions>
  minRetentionSeconds: number
  maxRetentionSeconds: number
}

/** The options in a disclosure widget, whose summary shows the current choices. */
export function ArchiveOptionFields(props: ArchiveOptionsProps) {
  const retentionId = createUniqueId()
  const retentionChoices = createMemo(() =>
    RETENTION_CHOICES_SECONDS.filter(
      (seconds) => seconds >= props.minRetentionSeconds && seconds <= props.maxRetentionSeconds,
    ),
  )
  return (
    <details class={styles.options}>
      <summary class={styles.summary}>
        <ChevronRight size={18} aria-hidden="true" />
        <span class={styles.title}>Options</span>
        <span class={styles.current}>{describeOptions(props.options)}</span>
      </summary>
      <div class={styles.fields}>
        <div class={styles.field}>
          <label for={retentionId}>Keep for</label>
          <select
            id={retentionId}
            onChange={(event) => props.setOptions('retentionSeconds', Number(event.currentTarget.value))}
          >
            <For each={retentionChoices()}>
              {(seconds) => (
                <option value={seconds} selected={seconds === props.options.retentionSeconds}>
                  {formatDuration(seconds * 1000)}
                </option>
              )}
            </For>
          </select>
        </div>
        <div>
          <Checkbox
            label="Skip failed links"
            help="Build from the rest and list failures. If off, one failed link stops the archive."
            checked={props.options.skipFailed}
            onChange={(isChecked) => props.setOptions('skipFailed', isChecked)}
          />
        </div>
        <div>
          <Checkbox
            label="Add a list of sources and checksums"
            help="Two small files in the ZIP: where each file came from, and how to check later that it is unchanged."
            checked={props.options.hasManifest}
            onChange={(isChecked) => props.setOptions('hasManifest', isChecked)}
          />
        </div>
        <MetadataFields
          rows={props.options.metadata}
          onChange={(rows) => props.setOptions('metadata', rows)}
        />
      </div>
    </details>
  )
}

function describeOptions(options: ArchiveOptions): string {
  return [
    `kept for ${formatDuration(options.retentionSeconds * 1000)}`,
    options.skipFailed ? 'skips failed links' : 'stops if a link fails',
    ...(options.hasManifest ? ['with checksums'] : []),
  ].join(' · ')
}

const DAY_SECONDS = 86_400
/** The options until the user changes them. */
export const DEFAULT_OPTIONS: ArchiveOptions = {
  retentionSeconds: DAY_SECONDS,
  skipFailed: true,
  hasManifest: false,
  metadata: [],
}
/** The plan may allow fewer of these. */
const RETENTION_CHOICES_SECONDS = [
  300,
  3_600,
  6 * 3_600,
  DAY_SECONDS,
  3 * DAY_SECONDS,
  7 * DAY_SECONDS,
  30 * DAY_SECONDS,
  60 * DAY_SECONDS,
]
