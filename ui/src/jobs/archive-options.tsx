import ChevronRight from 'lucide-solid/icons/chevron-right'
import { For } from 'solid-js'

export interface ArchiveOptions {
  /** Empty for the service's own choice. */
  readonly zipFilename: string
  readonly keepForSeconds: number
  /** Whether an archive is made though some URLs can't be fetched. */
  readonly goOn: boolean
}

const HOUR = 3600
const DAY = 24 * HOUR

export const DEFAULT_OPTIONS: ArchiveOptions = { zipFilename: '', keepForSeconds: DAY, goOn: false }

const RETENTIONS = [
  { label: '5 minutes', seconds: 300 },
  { label: '1 hour', seconds: HOUR },
  { label: '6 hours', seconds: 6 * HOUR },
  { label: '24 hours', seconds: DAY },
  { label: '7 days', seconds: 7 * DAY },
  { label: '30 days', seconds: 30 * DAY },
  { label: '60 days', seconds: 60 * DAY },
] as const

/** Folded away: the defaults suit most archives. */
export function ArchiveOptionsFields(props: {
  value: ArchiveOptions
  onChange: (next: ArchiveOptions) => void
}) {
  const change = (part: Partial<ArchiveOptions>) => props.onChange({ ...props.value, ...part })
  return (
    <details class="options">
      <summary>
        <ChevronRight aria-hidden="true" />
        Options
      </summary>
      <div class="options-fields">
        <div class="field">
          <label for="zip-filename">File name</label>
          <input
            id="zip-filename"
            class="input"
            maxlength="259"
            placeholder="archive-….zip"
            value={props.value.zipFilename}
            onInput={(event) => change({ zipFilename: event.currentTarget.value })}
          />
        </div>
        <div class="field">
          <label for="keep-for">Keep for</label>
          <select
            id="keep-for"
            class="input"
            value={props.value.keepForSeconds}
            onChange={(event) => change({ keepForSeconds: Number(event.currentTarget.value) })}
          >
            <For each={RETENTIONS}>{({ label, seconds }) => <option value={seconds}>{label}</option>}</For>
          </select>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={props.value.goOn}
            onChange={(event) => change({ goOn: event.currentTarget.checked })}
          />
          <span>
            Go on when URLs fail
            <small>The archive holds what could be fetched and lists the rest.</small>
          </span>
        </label>
      </div>
    </details>
  )
}
