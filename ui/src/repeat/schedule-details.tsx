import { For, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import { FILE_KINDS } from '../../../server/vocabulary.ts'
import type { ListedSchedule } from '../api/types.ts'
import { AddressField } from '../base/address-field.tsx'
import { Checkbox } from '../base/checkbox.tsx'
import { Field } from '../base/field.tsx'
import type { FileKind } from '../base/file-kind.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { repeatDialogCopy } from '../language/english/repeat-dialog.ts'

const copy = repeatDialogCopy.details

/** What the details are of. */
export type DetailedSchedule = Pick<ListedSchedule, 'page' | 'reuse' | 'use_sites' | 'headers'>

/** How the files of a schedule are found and fetched, as the fields of a form. */
export interface DetailsDraft {
  pageUrl: string
  kind: FileKind | ''
  match: string
  reuse: ListedSchedule['reuse']
  usesSites: boolean
  headers: 'kept' | 'none' | 'new'
  origin: string
  /** "Name: value", one per line. */
  lines: string
}

export function createDetails(schedule: DetailedSchedule) {
  return createStore<DetailsDraft>({
    pageUrl: schedule.page?.url ?? '',
    kind: schedule.page?.kind ?? '',
    match: schedule.page?.match ?? '',
    reuse: schedule.reuse,
    usesSites: schedule.use_sites,
    headers: 'kept',
    origin: schedule.headers[0]?.origin ?? '',
    lines: '',
  })
}

/** The fields of the request that changes them. */
export function detailsToJson(draft: DetailsDraft, { page }: DetailedSchedule) {
  return {
    reuse: draft.reuse,
    use_sites: draft.usesSites,
    ...(page !== null && {
      page: { url: draft.pageUrl.trim(), kind: draft.kind || null, match: draft.match.trim() || null },
    }),
    ...(draft.headers !== 'kept' && { headers: draft.headers === 'none' ? [] : [headersOf(draft)] }),
  }
}

export interface ScheduleDetailsProps {
  schedule: DetailedSchedule
  draft: DetailsDraft
  onChange: (change: Partial<DetailsDraft>) => void
}

/** Where the links of a schedule come from, what is copied, and which logins are sent. Values of headers are never shown. */
export function ScheduleDetails(props: ScheduleDetailsProps) {
  const choices = () =>
    props.schedule.headers.length === 0 ? HEADERS.filter((choice) => choice !== 'none') : HEADERS
  return (
    <>
      <Show when={props.schedule.page}>
        <AddressField
          label={copy.page}
          value={props.draft.pageUrl}
          onInput={(pageUrl) => props.onChange({ pageUrl })}
        />
        <Field label={copy.kind}>
          {(id) => (
            <select
              id={id}
              onChange={(event) => props.onChange({ kind: KINDS[event.currentTarget.selectedIndex] ?? '' })}
            >
              <For each={KINDS}>
                {(kind) => (
                  <option selected={kind === props.draft.kind}>
                    {kind === '' ? copy.allFiles : controlsCopy.manyKinds[kind]}
                  </option>
                )}
              </For>
            </select>
          )}
        </Field>
        <Field label={copy.match}>
          {(id) => (
            <input
              id={id}
              type="text"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              placeholder="*/2026/*.pdf"
              value={props.draft.match}
              onInput={(event) => props.onChange({ match: event.currentTarget.value })}
            />
          )}
        </Field>
      </Show>
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

const KINDS = ['', ...FILE_KINDS] as const
const HEADERS = ['kept', 'none', 'new'] as const
const HEADERS_LABELS = { none: copy.sendNone, new: copy.sendOthers } as const
