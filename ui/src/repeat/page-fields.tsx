import { For } from 'solid-js'
import { FILE_KINDS } from '../../../server/vocabulary.ts'
import { AddressField } from '../base/address-field.tsx'
import { Field } from '../base/field.tsx'
import type { FileKind } from '../base/file-kind.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { repeatDialogCopy } from '../language/english/repeat-dialog.ts'

const copy = repeatDialogCopy.page

/** A page whose links are packed, as each run finds them. */
export interface PageSource {
  readonly url: string
  /** Null for links of all kinds. */
  readonly kind: FileKind | null
  /** A pattern with `*` and `?` for the addresses of the links; null for all. */
  readonly match: string | null
}

/** The fields for a page, and which of its links are packed. */
export function PageFields(props: { page: PageSource; onChange: (change: Partial<PageSource>) => void }) {
  return (
    <>
      <p>{copy.lead}</p>
      <AddressField label={copy.url} value={props.page.url} onInput={(url) => props.onChange({ url })} />
      <Field label={copy.kind}>
        {(id) => (
          <select
            id={id}
            onChange={(event) => props.onChange({ kind: KINDS[event.currentTarget.selectedIndex] ?? null })}
          >
            <For each={KINDS}>
              {(kind) => (
                <option selected={kind === props.page.kind}>
                  {kind === null ? copy.allFiles : controlsCopy.manyKinds[kind]}
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
            value={props.page.match ?? ''}
            onInput={(event) => props.onChange({ match: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  )
}

/** The page as the service expects it. */
export function pageToJson({ url, kind, match }: PageSource): PageSource {
  return { url: url.trim(), kind, match: match?.trim() || null }
}

const KINDS = [null, ...FILE_KINDS] as const
