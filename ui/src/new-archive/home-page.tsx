import { A } from '@solidjs/router'
import { Show } from 'solid-js'
import { ArchiveList } from '../archive-list/archive-list.tsx'
import { createLiveList } from '../archive-list/live-list.ts'
import { Button } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { PageHeader } from '../base/page.tsx'
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
        fallback={
          <PageHeader title="New archive" lead="Holdall fetches your links and packs them into one ZIP." />
        }
      >
        <NameField name={name} />
      </Show>
      <NewArchiveForm name={name} map={props.map} onPacked={props.onPacked} />
      <section class={styles.recent} aria-labelledby="recent">
        <div class={styles.header}>
          <h2 id="recent">Recent archives</h2>
          <A href="/archives">All archives</A>
        </div>
        <ArchiveList
          list={list}
          maxRows={RECENT_COUNT}
          empty={
            <EmptyState
              title="Your archives will appear here"
              text="Paste some links above to create your first. You can close this page while it builds."
            >
              <Show when={draftLinks().length === 0}>
                <Button onClick={addExample}>Try an example</Button>
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
