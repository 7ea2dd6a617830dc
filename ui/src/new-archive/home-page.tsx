import { A } from '@solidjs/router'
import { Show } from 'solid-js'
import { ArchiveList } from '../archive-list/archive-list.tsx'
import { createLiveList } from '../archive-list/live-list.ts'
import { Button } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { PageHeader } from '../base/page.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { createArchiveName } from './archive-name.ts'
import { draftLinks } from './draft.ts'
import { addExample } from './example.ts'
import styles from './home-page.module.css'
import { NameField } from './name-field.tsx'
import { NewArchiveForm, type NewArchiveFormProps } from './new-archive-form.tsx'

/** The start page: the form for a new archive, and the latest archives. */
export function HomePage(props: Omit<NewArchiveFormProps, 'name'>) {
  const list = createLiveList({ pageSize: RECENT_COUNT })
  const name = createArchiveName()
  return (
    <>
      <Show
        when={draftLinks().length > 0}
        fallback={<PageHeader title={newArchiveCopy.title} lead={newArchiveCopy.lead} />}
      >
        <NameField name={name} />
      </Show>
      <NewArchiveForm name={name} map={props.map} onPacked={props.onPacked} />
      <section class={styles.recent} aria-labelledby="recent">
        <div class={styles.header}>
          <h2 id="recent">{newArchiveCopy.recent}</h2>
          <A href="/archives">{newArchiveCopy.all}</A>
        </div>
        <ArchiveList
          list={list}
          maxRows={RECENT_COUNT}
          empty={
            <EmptyState title={newArchiveCopy.none} text={newArchiveCopy.noneText}>
              <Show when={draftLinks().length === 0}>
                <Button onClick={addExample}>{newArchiveCopy.tryExample}</Button>
              </Show>
            </EmptyState>
          }
        />
      </section>
    </>
  )
}

/** Enough to find the latest archive again. A link leads to the others. */
const RECENT_COUNT = 5
