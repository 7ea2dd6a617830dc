import ChevronRight from 'lucide-solid/icons/chevron-right'
import Plus from 'lucide-solid/icons/plus'
import X from 'lucide-solid/icons/x'
import { Index, Show } from 'solid-js'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { Button, IconButton } from '../base/button.tsx'
import styles from './metadata-fields.module.css'

export interface MetadataRow {
  readonly key: string
  readonly value: string
}

/** Fields for names and values that are stored with the job, for programs to read. */
export function MetadataFields(props: {
  rows: readonly MetadataRow[]
  onChange: (rows: MetadataRow[]) => void
}) {
  const change = (changedIndex: number, changes: Partial<MetadataRow>) =>
    props.onChange(props.rows.map((row, index) => (index === changedIndex ? { ...row, ...changes } : row)))
  return (
    <details class={styles.programs} open={props.rows.length > 0}>
      <summary class={styles.summary}>
        <ChevronRight size={18} aria-hidden="true" />
        For programs
      </summary>
      <fieldset class={styles.fields}>
        <legend class={styles.legend}>Metadata</legend>
        <Index each={props.rows}>
          {(row, index) => (
            <div class={styles.row}>
              <input
                aria-label={`Metadata name ${index + 1}`}
                placeholder="Name"
                autocomplete="off"
                maxlength={REQUEST_LIMITS.metadataKeyCharacters}
                value={row().key}
                onInput={(event) => change(index, { key: event.currentTarget.value })}
              />
              <input
                aria-label={`Metadata value ${index + 1}`}
                placeholder="Value"
                autocomplete="off"
                maxlength={REQUEST_LIMITS.metadataValueCharacters}
                value={row().value}
                onInput={(event) => change(index, { value: event.currentTarget.value })}
              />
              <IconButton
                label={`Remove metadata ${index + 1}`}
                onClick={() => props.onChange(props.rows.filter((_, other) => other !== index))}
              >
                <X size={18} aria-hidden="true" />
              </IconButton>
            </div>
          )}
        </Index>
        <Show when={props.rows.length < REQUEST_LIMITS.metadataPairs}>
          <Button variant="ghost" onClick={() => props.onChange([...props.rows, { key: '', value: '' }])}>
            <Plus size={18} aria-hidden="true" />
            Add metadata
          </Button>
        </Show>
      </fieldset>
    </details>
  )
}

/** Converts the rows to the job's metadata. Rows without a name are ignored. */
export function metadataFromRows(rows: readonly MetadataRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]),
  )
}
