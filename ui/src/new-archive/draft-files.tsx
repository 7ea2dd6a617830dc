import { FilesLayout } from '../map/files-layout.tsx'
import type { PageMap } from '../map/page-map.tsx'
import { draftDuplicates } from './draft.ts'
import type { DraftLink } from './draft-links.ts'
import { createExpectedNames } from './expected-names.ts'
import { FileList } from './file-list.tsx'
import { KindCounts } from './kind-counts.tsx'
import { ListSummary } from './list-summary.tsx'

export interface DraftFilesProps {
  links: readonly DraftLink[]
  map: PageMap
  onChooseFile: () => void
}

/** The recognised files as a list, and beside it the map of their archive. */
export function DraftFiles(props: DraftFilesProps) {
  const names = createExpectedNames(() => props.links)
  return (
    <FilesLayout
      map={props.map.element}
      legend={<KindCounts links={props.links} duplicateCount={draftDuplicates().size} />}
      bar={
        <ListSummary
          linkCount={props.links.length}
          duplicateCount={draftDuplicates().size}
          onChooseFile={() => props.onChooseFile()}
        />
      }
      list={
        <FileList
          links={props.links}
          names={names}
          duplicates={draftDuplicates()}
          target={props.map.target()}
          onHighlight={props.map.highlight}
        />
      }
    />
  )
}
