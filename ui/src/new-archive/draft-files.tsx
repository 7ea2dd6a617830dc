import { createSignal, Show } from 'solid-js'
import type { Me } from '../api/types.ts'
import { FilesLayout } from '../map/files-layout.tsx'
import type { PageMap } from '../map/page-map.tsx'
import { CheckReport } from './check-report.tsx'
import { draft, draftDuplicates, takeFromPage } from './draft.ts'
import { type DraftLink, withItems } from './draft-links.ts'
import { createDraftView } from './draft-view.ts'
import { createExpectedNames } from './expected-names.ts'
import { FileList } from './file-list.tsx'
import { Legend } from './legend.tsx'
import { createLinkCheck } from './link-check.ts'
import { ListSummary } from './list-summary.tsx'
import { LookInsideDialog } from './look-inside-dialog.tsx'
import { NarrowingBar } from './narrowing-bar.tsx'

export interface DraftFilesProps {
  links: readonly DraftLink[]
  map: PageMap
  limits: Me['limits'] | undefined
  onChooseFile: () => void
}

/** The recognised files as a list, and beside it the map of their archive. */
export function DraftFiles(props: DraftFilesProps) {
  const names = createExpectedNames(() => props.links)
  const [inspected, setInspected] = createSignal<DraftLink | null>(null)
  const check = createLinkCheck()
  const view = createDraftView(() => props.links)
  return (
    <>
      <FilesLayout
        map={props.map.element}
        legend={<Legend view={view} duplicateCount={draftDuplicates().size} />}
        bar={
          <>
            <ListSummary
              linkCount={props.links.length}
              duplicateCount={draftDuplicates().size}
              onChooseFile={() => props.onChooseFile()}
              onCheck={() => void check.start(props.links)}
            />
            <Show when={props.links.length > 0}>
              <NarrowingBar view={view} links={props.links} />
            </Show>
          </>
        }
        list={
          <FileList
            view={view}
            names={names}
            duplicates={draftDuplicates()}
            target={props.map.target()}
            onHighlight={props.map.highlight}
            onLookInside={setInspected}
          />
        }
      />
      <CheckReport check={check} links={props.links} duplicates={draftDuplicates()} limits={props.limits} />
      <Show when={inspected()}>
        {(link) => (
          <LookInsideDialog
            url={link().url}
            onClose={() => setInspected(null)}
            onChosen={(files, origin) => {
              // Of several pages, none is the origin of all.
              const isOnlyOne = props.links.length === 1
              takeFromPage(
                withItems(draft().items, link(), files),
                isOnlyOne ? origin : { title: null, page: null },
              )
              setInspected(null)
            }}
          />
        )}
      </Show>
    </>
  )
}
