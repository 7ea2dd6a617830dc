import Plus from 'lucide-solid/icons/plus'
import X from 'lucide-solid/icons/x'
import { Index, Show } from 'solid-js'
import { Button, IconButton } from '../base/button.tsx'
import styles from './metadata-fields.module.css'

export interface MetadataRow {
  readonly key: string
  readonly value: string
}

/** As many and as long as the service takes them. */
const MAX_ROWS = 10
const MAX_KEY_CHARACTERS = 128
const MAX_VALUE_CHARACTERS = 1_024

/** Pairs of names and values that the job carries for programs to read. */
export function MetadataFields(props: {
  rows: readonly MetadataRow[]
  onRows: (rows: MetadataRow[]) => void
}) {
  const change = (at: number, row: Partial<MetadataRow>) =>
    props.onRows(props.rows.map((old, index) => (index === at ? { ...old, ...row } : old)))
  return (
    <fieldset class={styles.fields}>
      <legend class={styles.legend}>Metadata</legend>
      <Index each={props.rows}>
        {(row, index) => (
          <div class={styles.row}>
            <input
              aria-label={`Metadata name ${index + 1}`}
              placeholder="Name"
              autocomplete="off"
              maxlength={MAX_KEY_CHARACTERS}
              value={row().key}
              onInput={(event) => change(index, { key: event.currentTarget.value })}
            />
            <input
              aria-label={`Metadata value ${index + 1}`}
              placeholder="Value"
              autocomplete="off"
              maxlength={MAX_VALUE_CHARACTERS}
              value={row().value}
              onInput={(event) => change(index, { value: event.currentTarget.value })}
            />
            <IconButton
              label={`Remove metadata ${index + 1}`}
              onClick={() => props.onRows(props.rows.filter((_, other) => other !== index))}
            >
              <X size={18} aria-hidden="true" />
            </IconButton>
          </div>
        )}
      </Index>
      <Show when={props.rows.length < MAX_ROWS}>
        <Button variant="ghost" onClick={() => props.onRows([...props.rows, { key: '', value: '' }])}>
          <Plus size={18} aria-hidden="true" />
          Add metadata
        </Button>
      </Show>
    </fieldset>
  )
}

/** What the rows say; rows without a name say nothing. */
export function metadataOf(rows: readonly MetadataRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]),
  )
}
