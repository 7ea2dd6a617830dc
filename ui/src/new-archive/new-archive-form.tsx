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
import { metadataFromRows } from './metadata-fields.tsx'
import { NamePreview } from './name-preview.tsx'
import styles from './new-archive-form.module.css'
import { type Link, parseLinks } from './parse-links.ts'

/** The form that creates a job from pasted links, and then opens the page of its archive. */
export function NewArchiveForm() {
  const navigate = useNavigate()
  const location = useLocation<{ focusLinks?: boolean }>()
  const linkBoxId = createUniqueId()
  const reportId = createUniqueId()
  const [options, setOptions] = createStore({ ...DEFAULT_OPTIONS })
  const [me] = createResource(() => getMe().catch(() => undefined))
  const [busy, setBusy] = createSignal(false)
  const [error, setError] = createSignal<Error>()
  const debounced = createDebounced(draft)
  const links = createMemo(() => parseLinks(debounced()))
  const maxUrls = () => me()?.limits.max_urls
  let linkBox: HTMLTextAreaElement | undefined

  useShortcut({ keys: ['n'], label: 'New archive', run: () => linkBox?.focus() })
  // Deferred, because the shell focuses the page after navigation.
  onMount(() => location.state?.focusLinks && queueMicrotask(() => linkBox?.focus()))

  const showLine = (line: number) => linkBox && selectLine(linkBox, line)

  async function submit() {
    if (busy()) return
    const { links, problems } = parseLinks(draft())
    const [problem] = problems
    if (problem) {
      announce(`Line ${problem.line}: ${problem.reason}`)
      return showLine(problem.line)
    }
    if (links.length === 0) return linkBox?.focus()
    setBusy(true)
    setError(undefined)
    try {
      const id = await createJob({
        ...jobSources(links),
        metadata: metadataFromRows(options.metadata),
        ...(options.fileName.trim() === '' ? {} : { zip_filename: options.fileName.trim() }),
        expires_in: retentionSeconds(),
        fail_on_url_error: !options.skipFailed,
      })
      setDraft('')
      navigate(`/archives/${id}`)
    } catch (error) {
      setError(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setBusy(false)
    }
  }

  /** The chosen retention period, limited to the plan's maximum. */
  const retentionSeconds = () =>
    Math.min(options.retentionSeconds, me()?.limits.max_retention_seconds ?? options.retentionSeconds)

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Card>
        <label class="visually-hidden" for={linkBoxId}>
          Links (URLs), one on each line
        </label>
        <LinkBox
          id={linkBoxId}
          ref={(element) => {
            linkBox = element
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
          onSelectLine={showLine}
          onFix={(fix) => setDraft(fix(draft()))}
        />
        <Show when={links().links.length > 0}>
          <NamePreview links={links().links} />
        </Show>
        <ArchiveOptionFields
          options={options}
          setOptions={setOptions}
          minRetentionSeconds={me()?.limits.min_retention_seconds ?? 0}
          maxRetentionSeconds={me()?.limits.max_retention_seconds ?? Number.POSITIVE_INFINITY}
        />
        <Show when={error()}>{(error) => <RequestError error={error()} />}</Show>
        <div class={styles.footer}>
          <p class={styles.shortcut}>
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

/** Sends plain URLs unless some links have names. */
function jobSources(links: readonly Link[]): JobSources {
  if (links.every(({ filename }) => filename === null)) return { urls: links.map(({ url }) => url) }
  return { files: links.map(({ url, filename }) => (filename === null ? { url } : { url, filename })) }
}

function RequestError(props: { error: Error }) {
  const issues = () => (props.error instanceof ApiError ? props.error.issues : [])
  return (
    <div class={styles.error}>
      <Alert>
        {props.error.message}
        <Show when={issues().length > 0}>
          <ul class={styles.issues}>
            <For each={issues()}>{(issue) => <li>{describeIssue(issue)}</li>}</For>
          </ul>
        </Show>
      </Alert>
    </div>
  )
}

/** Links are counted from 0 in the service's issues, but from 1 here. */
function describeIssue(issue: { path: string; message: string }): string {
  const [, position] = /^(?:urls|files)\.(\d+)(?:\.|$)/.exec(issue.path) ?? []
  if (position !== undefined) return `Link ${Number(position) + 1} ${issue.message}`
  if (issue.path === 'zip_filename') return `The file name ${issue.message}`
  return `${issue.path} ${issue.message}`
}
