import { For, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { ListedSchedule } from '../api/types.ts'
import { AddressField } from '../base/address-field.tsx'
import { Checkbox } from '../base/checkbox.tsx'
import { Field } from '../base/field.tsx'
import { repeatDialogCopy } from '../language/english/repeat-dialog.ts'

const copy = repeatDialogCopy.details

/** What the details are of. */
export type DetailedSchedule = Pick<ListedSchedule, 'reuse' | 'use_sites' | 'headers'>

/** How the files of a schedule are fetched, as the fields of a form. */
export interface DetailsDraft {
  reuse: ListedSchedule['reuse']
  usesSites: boolean
  headers: 'kept' | 'none' | 'new'
  origin: string
  /** "Name: value", one per line. */
  lines: string
}

export function createDetails(schedule: DetailedSchedule) {
  return createStore<DetailsDraft>({
    reuse: schedule.reuse,
    usesSites: schedule.use_sites,
    headers: 'kept',
    origin: schedule.headers[0]?.origin ?? '',
    lines: '',
  })
}

/** The fields of the request that changes them. */
export function detailsToJson(draft: DetailsDraft) {
  return {
    reuse: draft.reuse,
    use_sites: draft.usesSites,
    ...(draft.headers !== 'kept' && { headers: draft.headers === 'none' ? [] : [headersOf(draft)] }),
  }
}

export interface ScheduleDetailsProps {
  schedule: DetailedSchedule
  draft: DetailsDraft
  onChange: (change: Partial<DetailsDraft>) => void
}

/** What is copied of an earlier archive, and which logins are sent. Values of headers are never shown. */
export function ScheduleDetails(props: ScheduleDetailsProps) {
  const choices = () =>
    props.schedule.headers.length === 0 ? HEADERS.filter((choice) => choice !== 'none') : HEADERS
  return (
    <>
      <Field label={copy.reuse}>
        {(id) => (
          <select
            id={id}
            onChange={(event) =>
              props.onChange({ reuse: event.currentTarget.selectedIndex === 0 ? 'unchanged' : 'none' })
            }
          >
            <option selected={props.draft.reuse === 'unchanged'}>{copy.copy}</option>
            <option selected={props.draft.reuse === 'none'}>{copy.fetch}</option>
          </select>
        )}
      </Field>
      <Checkbox
        label={copy.useLogins}
        help={copy.useLoginsHelp}
        checked={props.draft.usesSites}
        onChange={(usesSites) => props.onChange({ usesSites })}
      />
      <Field label={copy.headers}>
        {(id) => (
          <select
            id={id}
            onChange={(event) =>
              props.onChange({ headers: choices()[event.currentTarget.selectedIndex] ?? 'kept' })
            }
          >
            <For each={choices()}>
              {(choice) => (
                <option selected={choice === props.draft.headers}>
                  {choice === 'kept' ? headersText(props.schedule) : HEADERS_LABELS[choice]}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
      <Show when={props.draft.headers === 'new'}>
        <AddressField
          label={copy.sentTo}
          placeholder="https://example.org"
          value={props.draft.origin}
          onInput={(origin) => props.onChange({ origin })}
        />
        <Field label={copy.lines}>
          {(id) => (
            <textarea
              id={id}
              rows={3}
              autocomplete="off"
              spellcheck={false}
              required
              placeholder="Authorization: Bearer …"
              onInput={(event) => props.onChange({ lines: event.currentTarget.value })}
            />
          )}
        </Field>
      </Show>
    </>
  )
}

/** "X-Key to https://example.org"; "None". */
export function headersText({ headers }: Pick<ListedSchedule, 'headers'>): string {
  if (headers.length === 0) return copy.noHeaders
  return headers.map(({ origin, header_names }) => copy.headersTo(header_names.join(', '), origin)).join('; ')
}

function headersOf({ origin, lines }: DetailsDraft) {
  const headers = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) throw new Error(copy.malformed)
      return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
    })
  return { origin: origin.trim(), headers }
}

const HEADERS = ['kept', 'none', 'new'] as const
const HEADERS_LABELS = { none: copy.sendNone, new: copy.sendOthers } as const
