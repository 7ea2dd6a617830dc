import { For, Show } from 'solid-js'
import { Field } from '../base/field.tsx'
import { archiveListCopy } from '../language/english/archive-list.ts'

export const DAY_SECONDS = 86_400
/** How long an archive can be kept, counted from now. The plan may allow less. */
export const KEPT_DAYS = [1, 7, 30, 60] as const

export interface KeptDaysFieldProps {
  /** Undefined changes nothing. */
  days: number | undefined
  /** The label of the choice that changes nothing. Without it, there is no such choice. */
  unchanged?: string
  onDays: (days: number | undefined) => void
}

/** Chooses how long to keep an archive from now on. */
export function KeptDaysField(props: KeptDaysFieldProps) {
  return (
    <Field label={archiveListCopy.keep.label}>
      {(id) => (
        <select id={id} onChange={(event) => props.onDays(Number(event.currentTarget.value) || undefined)}>
          <Show when={props.unchanged}>
            {(text) => (
              <option value="" selected={props.days === undefined}>
                {text()}
              </option>
            )}
          </Show>
          <For each={KEPT_DAYS}>
            {(count) => (
              <option value={count} selected={props.days === count}>
                {archiveListCopy.keep.days(count)}
              </option>
            )}
          </For>
        </select>
      )}
    </Field>
  )
}
