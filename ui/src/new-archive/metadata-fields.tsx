import ChevronRight from 'lucide-solid/icons/chevron-right'
import Plus from 'lucide-solid/icons/plus'
import X from 'lucide-solid/icons/x'
import { Index, Show } from 'solid-js'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { Button, IconButton } from '../base/button.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import styles from './metadata-fields.module.css'

export interface MetadataRow {
  readonly key: string
  readonly value: string
}

const copy = newArchiveCopy.options

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
        {copy.forPrograms}
      </summary>
      <fieldset class={styles.fields}>
        <legend class={styles.legend}>{copy.metadata}</legend>
        <Index each={props.rows}>
          {(row, index) => (
            <div class={styles.row}>
              <input
                aria-label={copy.metadataName(index + 1)}
                placeholder={copy.metadataNamePlaceholder}
                autocomplete="off"
                maxlength={REQUEST_LIMITS.metadataKeyCharacters}
                value={row().key}
                onInput={(event) => change(index, { key: event.currentTarget.value })}
              />
              <input
                aria-label={copy.metadataValue(index + 1)}
                placeholder={copy.metadataValuePlaceholder}
                autocomplete="off"
                maxlength={REQUEST_LIMITS.metadataValueCharacters}
                value={row().value}
                onInput={(event) => change(index, { value: event.currentTarget.value })}
              />
              <IconButton
                label={copy.removeMetadata(index + 1)}
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
            {copy.addMetadata}
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
