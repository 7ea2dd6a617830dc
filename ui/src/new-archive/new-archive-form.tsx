import { useLocation, useNavigate } from '@solidjs/router'
import { createResource, createSignal, onMount, Show, Suspense } from 'solid-js'
import { getRecentMe } from '../api/account.ts'
import { runSchedule } from '../api/schedules.ts'
import { Button } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { lazyPart } from '../base/lazy-part.tsx'
import { messageOf } from '../base/message.ts'
import { useShortcut } from '../base/shortcuts.ts'
import { showToast } from '../base/toasts.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { loadArchiveMap, type PageMap } from '../map/page-map.tsx'
import type { PageSource } from '../repeat/page-fields.tsx'
import type { RepeatSettings } from '../repeat/repeat-dialog.tsx'
import type { RepeatInterval } from '../repeat/repeat-menu.tsx'
import type { NameOfDraft } from './archive-name.ts'
import { mayBePage } from './chosen-links.ts'
import { createArchive, createArchives, createRepeating, type JobOptions } from './create-archives.ts'
import { CreationError } from './creation-error.tsx'
import { changeItems, draft, draftLinks, replaceDraft, showAsList, typeText } from './draft.ts'
import { withFirstLinks } from './draft-links.ts'
import { forgetLogins, settleLogins } from './found-logins.ts'
import { addHandedOverLinks } from './handed-over-links.ts'
import { LinkBox } from './link-box.tsx'
import { LoginQuestions } from './login-question.tsx'
import { metadataFromRows } from './metadata-fields.tsx'
import styles from './new-archive-form.module.css'
import { PackBar } from './pack-bar.tsx'
import { createReading } from './reading.ts'
import { ReadingStatus } from './reading-status.tsx'
import { createRememberedOptions } from './remembered-options.ts'
import { TooManyLinks } from './too-many-links.tsx'
import { textFiles, transferred } from './transfer.ts'
import { listenToPage } from './whole-page.ts'

// The list and the map are needed only after the first paste, so they are not part of the first download.
const loadDraftFiles = async () => (await import('./draft-files.tsx')).DraftFiles
const DraftFiles = lazyPart(loadDraftFiles)
const RepeatDialog = lazyPart(async () => (await import('../repeat/repeat-dialog.tsx')).RepeatDialog)

export interface NewArchiveFormProps {
  name: NameOfDraft
  map: PageMap
  /** The archive has been created. */
  onPacked: (id: string) => Promise<void>
}

/** The form for a new archive: links are pasted, dropped or typed, shown as files, and packed. */
export function NewArchiveForm(props: NewArchiveFormProps) {
  const navigate = useNavigate()
  const location = useLocation<{ focusLinks?: boolean }>()
  const [options, setOptions] = createRememberedOptions()
  const [me] = createResource(() => getRecentMe().catch(() => undefined))
  const [busy, setBusy] = createSignal(false)
  const [error, setError] = createSignal<Error>()
  const [isDragging, setDragging] = createSignal(false)
  const [choosingRepeat, setChoosingRepeat] = createSignal<'list' | 'page' | null>(null)
  const reading = createReading()
  const links = draftLinks
  const maxLinks = () => me()?.limits.max_urls ?? Number.POSITIVE_INFINITY
  /** The page whose links can be packed again and again: the one that all links were taken from, or that the only link may lead to. */
  const page = (): PageSource | null => {
    const [only, ...others] = links()
    if (draft().page !== null || only === undefined || others.length > 0) return draft().page
    return mayBePage(only.url) ? { url: only.url, kind: null, match: null } : null
  }
  let fileInput: HTMLInputElement | undefined
  let container: HTMLDivElement | undefined

  listenToPage({
    onTransfer: (transfer) => reading.add(transferred(transfer)),
    onDragging: setDragging,
    onSubmit: () => void pack(),
  })
  addHandedOverLinks()
  const focusLinks = () => container?.querySelector<HTMLElement>('[data-link-box], section')?.focus()
  useShortcut({ keys: ['n'], label: newArchiveCopy.title, run: focusLinks })
  // Deferred, because the shell focuses the page after navigation.
  onMount(() => void Promise.all([loadDraftFiles(), loadArchiveMap()]).catch(() => {}))
  onMount(() => location.state?.focusLinks && queueMicrotask(focusLinks))

  /** Packs everything that has been pasted and typed until now. */
  async function pack() {
    await submit(async () => {
      await reading.settle()
      if (links().length === 0) return focusLinks()
      if (links().length > maxLinks()) return await packInParts()
      const options = { ...jobOptions(), ...(await settleLogins()) }
      const id = await createArchive(links(), await props.name.settle(), options)
      forgetLogins()
      await props.onPacked(id)
    })
  }

  /** Packs everything now, and again at each time. */
  function repeat(every: RepeatInterval) {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    return submit(async () => makeRepeating({ name: await props.name.settle(), every, time_zone }))
  }

  async function makeRepeating(
    when: Pick<RepeatSettings, 'name' | 'time_zone' | 'page'> & {
      every: RepeatInterval | RepeatSettings['every']
    },
  ) {
    await reading.settle()
    if (links().length === 0) return focusLinks()
    const { metadata, fail_on_url_error } = jobOptions()
    const { id } = await createRepeating(links(), {
      metadata,
      ...(fail_on_url_error && { fail_on_url_error }),
      ...(await settleLogins()),
      ...when,
    })
    forgetLogins()
    // The schedule exists, and goes on at its time whatever keeps its first run from beginning.
    const jobId = await runSchedule(id).catch((error: unknown) => {
      showToast({ text: messageOf(error) })
      return null
    })
    if (jobId !== null) return props.onPacked(jobId)
    replaceDraft([])
    navigate(`/account/schedules/${id}`)
  }

  /** Packs more links than one archive can hold. */
  async function packInParts() {
    const options = { ...jobOptions(), ...(await settleLogins()) }
    const name = await props.name.settle()
    await createArchives(links(), maxLinks(), name, options, (rest) =>
      replaceDraft(
        rest.map((link) => ({ kind: 'link', ...link })),
        { name },
      ),
    )
    replaceDraft([])
    forgetLogins()
    navigate('/archives')
  }

  async function submit(action: () => Promise<void>) {
    if (busy()) return
    setBusy(true)
    setError(undefined)
    try {
      await action()
    } catch (error) {
      setError(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setBusy(false)
    }
  }

  const jobOptions = (): JobOptions => ({
    metadata: metadataFromRows(options.metadata),
    // The plan may allow less than what was chosen.
    expires_in: Math.min(
      options.retentionSeconds,
      me()?.limits.max_retention_seconds ?? options.retentionSeconds,
    ),
    fail_on_url_error: !options.skipFailed,
    manifest: options.hasManifest,
  })

  return (
    <div ref={container}>
      <input
        ref={fileInput}
        type="file"
        multiple
        hidden
        aria-label={newArchiveCopy.box.files}
        onChange={(event) => {
          reading.add(textFiles([...(event.currentTarget.files ?? [])]))
          event.currentTarget.value = ''
        }}
      />
      <Card class={isDragging() ? styles.dragging : undefined}>
        <Show
          when={draft().text !== null}
          fallback={
            <Suspense>
              <DraftFiles
                links={links()}
                map={props.map}
                limits={me()?.limits}
                onChooseFile={() => fileInput?.click()}
              />
            </Suspense>
          }
        >
          <LinkBox
            text={draft().text ?? ''}
            isDragging={isDragging()}
            onText={typeText}
            onChooseFile={() => fileInput?.click()}
          />
          <Show when={draft().text !== ''}>
            <div class={styles.typed}>
              <p role="status">
                {links().length === 0 ? newArchiveCopy.box.noLinks : newArchiveCopy.box.found(links().length)}
              </p>
              <Button variant="ghost" onClick={() => void reading.settle().then(showAsList)}>
                {newArchiveCopy.box.showAsList}
              </Button>
            </div>
          </Show>
        </Show>
        <ReadingStatus reading={reading} />
        <LoginQuestions />
        <Show when={links().length > maxLinks()}>
          <TooManyLinks linkCount={links().length} maxLinks={maxLinks()} />
        </Show>
        <Show when={error()}>{(error) => <CreationError error={error()} />}</Show>
      </Card>
      <Show when={links().length > 0}>
        <PackBar
          linkCount={links().length}
          maxLinks={maxLinks()}
          busy={busy()}
          options={options}
          setOptions={setOptions}
          limits={me()?.limits}
          onPack={() => void pack()}
          onKeepFirst={() => changeItems(withFirstLinks(draft().items, maxLinks()))}
          onRepeat={(every) => void repeat(every)}
          onRepeatCustom={() => setChoosingRepeat('list')}
          page={page()}
          onRepeatPage={() => setChoosingRepeat('page')}
        />
      </Show>
      <Show when={choosingRepeat()}>
        <RepeatDialog
          title={newArchiveCopy.pack.repeat}
          name={props.name.shown()}
          page={choosingRepeat() === 'page' ? (page() ?? undefined) : undefined}
          minScheduleSeconds={me()?.limits.min_schedule_seconds ?? 0}
          onSave={makeRepeating}
          onClose={() => setChoosingRepeat(null)}
        />
      </Show>
    </div>
  )
}
