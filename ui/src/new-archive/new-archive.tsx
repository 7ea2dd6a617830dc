import { useLocation, useNavigate } from '@solidjs/router'
import { createMemo, createResource, createSignal, createUniqueId, For, onMount, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import { getMe } from '../api/account.ts'
import { createJob, type JobSources } from '../api/jobs.ts'
import { ApiError } from '../api/request.ts'
import { Alert } from '../base/alert.tsx'
import { announce } from '../base/announcer.tsx'
import { Button } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { createDebounced } from '../base/debounced.ts'
import { isMac } from '../base/platform.ts'
import { useShortcut } from '../base/shortcuts.ts'
import { ArchiveOptionFields, DEFAULT_OPTIONS } from './archive-options.tsx'
import { draft, setDraft } from './draft.ts'
import { LinkBox, selectLine } from './link-box.tsx'
import { LinkReport } from './link-report.tsx'
import { metadataOf } from './metadata-fields.tsx'
import { NamePreview } from './name-preview.tsx'
import styles from './new-archive.module.css'
import { type Link, parseLinks } from './parse-links.ts'

/** From pasted links to a job, whose page it then shows. */
export function NewArchive() {
  const navigate = useNavigate()
  const location = useLocation<{ focusLinks?: boolean }>()
  const boxId = createUniqueId()
  const reportId = createUniqueId()
  const [options, setOptions] = createStore({ ...DEFAULT_OPTIONS })
  const [me] = createResource(() => getMe().catch(() => undefined))
  const [busy, setBusy] = createSignal(false)
  const [refusal, setRefusal] = createSignal<Error>()
  const debounced = createDebounced(draft)
  const links = createMemo(() => parseLinks(debounced()))
  const maxUrls = () => me()?.limits.max_urls
  let box: HTMLTextAreaElement | undefined

  useShortcut({ keys: ['n'], label: 'New archive', run: () => box?.focus() })
  // After the page has taken the focus that every new page takes.
  onMount(() => location.state?.focusLinks && queueMicrotask(() => box?.focus()))

  const goToLine = (line: number) => box && selectLine(box, line)

  async function submit() {
    if (busy()) return
    const { links, problems } = parseLinks(draft())
    const [problem] = problems
    if (problem) {
      announce(`Line ${problem.line}: ${problem.reason}`)
      return goToLine(problem.line)
    }
    if (links.length === 0) return box?.focus()
    setBusy(true)
    setRefusal(undefined)
    try {
      const id = await createJob({
        ...sourcesOf(links),
        metadata: metadataOf(options.metadata),
        ...(options.fileName.trim() === '' ? {} : { zip_filename: options.fileName.trim() }),
        expires_in: keepSeconds(),
        fail_on_url_error: !options.skipFailed,
      })
      setDraft('')
      navigate(`/archives/${id}`)
    } catch (error) {
      setRefusal(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setBusy(false)
    }
  }

  /** What was chosen, as far as the plan allows it. */
  const keepSeconds = () =>
    Math.min(options.keepSeconds, me()?.limits.max_retention_seconds ?? options.keepSeconds)

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Card>
        <label class="visually-hidden" for={boxId}>
          Links (URLs), one on each line
        </label>
        <LinkBox
          id={boxId}
          ref={(element) => {
            box = element
          }}
          text={draft()}
          problems={links().problems}
          describedBy={reportId}
          onText={setDraft}
          onSubmit={() => void submit()}
        />
        <LinkReport
          id={reportId}
          links={links()}
          maxUrls={maxUrls()}
          onGoTo={goToLine}
          onMend={(mend) => setDraft(mend(draft()))}
        />
        <Show when={links().links.length > 0}>
          <NamePreview links={links().links} />
        </Show>
        <ArchiveOptionFields
          options={options}
          setOptions={setOptions}
          minKeepSeconds={me()?.limits.min_retention_seconds ?? 0}
          maxKeepSeconds={me()?.limits.max_retention_seconds ?? Number.POSITIVE_INFINITY}
        />
        <Show when={refusal()}>{(error) => <Refusal error={error()} />}</Show>
        <div class={styles.foot}>
          <p class={styles.keys}>
            <kbd>{isMac() ? '⌘' : 'Ctrl'}</kbd> <kbd>Enter</kbd>
          </p>
          <Button type="submit" variant="primary" size="large" disabled={busy()}>
            {busy() ? 'Creating…' : 'Create archive'}
          </Button>
        </div>
      </Card>
    </form>
  )
}

/** Links without names go as they are. */
function sourcesOf(links: readonly Link[]): JobSources {
  if (links.every(({ filename }) => filename === null)) return { urls: links.map(({ url }) => url) }
  return { files: links.map(({ url, filename }) => (filename === null ? { url } : { url, filename })) }
}

function Refusal(props: { error: Error }) {
  const issues = () => (props.error instanceof ApiError ? props.error.issues : [])
  return (
    <div class={styles.refusal}>
      <Alert>
        {props.error.message}
        <Show when={issues().length > 0}>
          <ul class={styles.issues}>
            <For each={issues()}>{(issue) => <li>{issueInWords(issue)}</li>}</For>
          </ul>
        </Show>
      </Alert>
    </div>
  )
}

/** The service counts links from 0. */
function issueInWords(issue: { path: string; message: string }): string {
  const [, position] = /^(?:urls|files)\.(\d+)(?:\.|$)/.exec(issue.path) ?? []
  if (position !== undefined) return `Link ${Number(position) + 1} ${issue.message}`
  if (issue.path === 'zip_filename') return `The file name ${issue.message}`
  return `${issue.path} ${issue.message}`
}
