import { useNavigate } from '@solidjs/router'
import PackagePlus from 'lucide-solid/icons/package-plus'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { createJob } from '../api/jobs.ts'
import { ApiError } from '../api/request.ts'
import { formatCount, plural } from '../base/format.ts'
import { Notice } from '../base/notice.tsx'
import { type ArchiveOptions, ArchiveOptionsFields, DEFAULT_OPTIONS } from './archive-options.tsx'
import { readUrlList } from './url-list.ts'

const SHOWN_PROBLEMS = 5

/** Takes a list of URLs and makes an archive of it. */
export function NewArchiveForm() {
  const navigate = useNavigate()
  const [text, setText] = createSignal('')
  const [options, setOptions] = createSignal<ArchiveOptions>(DEFAULT_OPTIONS)
  const [isBusy, setBusy] = createSignal(false)
  const [problem, setProblem] = createSignal<Error>()
  const list = createMemo(() => readUrlList(text()))
  const canSubmit = () => list().urls.length > 0 && list().problems.length === 0 && !isBusy()

  const submit = async () => {
    if (!canSubmit()) return
    setBusy(true)
    setProblem(undefined)
    try {
      const { zipFilename, keepForSeconds, goOn } = options()
      const id = await createJob({
        urls: [...list().urls],
        zip_filename: zipFilename.trim() === '' ? null : zipFilename.trim(),
        expires_in: keepForSeconds,
        fail_on_url_error: !goOn,
      })
      navigate(`/archives/${id}`)
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      class="new-archive"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h1>New archive</h1>
      <p class="lead">Paste URLs, get one ZIP of everything behind them.</p>
      <div class="card composer">
        <label class="sr-only" for="urls">
          URLs
        </label>
        <textarea
          id="urls"
          class="composer-text mono"
          rows="9"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          placeholder={'https://example.org/report.pdf\nhttps://example.org/photos/1.jpg\n…'}
          aria-describedby="url-summary"
          aria-invalid={list().problems.length > 0}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
          }}
        />
        <div class="composer-foot">
          <p id="url-summary" class="composer-summary">
            <Show when={list().urls.length > 0} fallback="One URL a line">
              <strong>{plural(list().urls.length, 'URL')}</strong>
            </Show>
            <Show when={list().duplicates > 0}>
              <span class="muted"> · {plural(list().duplicates, 'duplicate')}</span>
            </Show>
            <Show when={list().problems.length > 0}>
              <span class="bad"> · {plural(list().problems.length, 'line')} to mend</span>
            </Show>
          </p>
          <button type="submit" class="button primary" disabled={!canSubmit()}>
            <PackagePlus aria-hidden="true" />
            {isBusy() ? 'Creating…' : 'Create archive'}
          </button>
        </div>
      </div>
      <Show when={list().problems.length > 0}>
        <Notice kind="problem">
          <ul class="line-problems">
            <For each={list().problems.slice(0, SHOWN_PROBLEMS)}>
              {(each) => (
                <li>
                  Line {formatCount(each.line)}: <span class="mono clip">{each.text}</span> {each.reason}.
                </li>
              )}
            </For>
          </ul>
          <Show when={list().problems.length > SHOWN_PROBLEMS}>
            <p>…and {plural(list().problems.length - SHOWN_PROBLEMS, 'more line')}.</p>
          </Show>
        </Notice>
      </Show>
      <Show when={problem()}>{(error) => <Notice kind="problem">{sayProblem(error())}</Notice>}</Show>
      <ArchiveOptionsFields value={options()} onChange={setOptions} />
    </form>
  )
}

function sayProblem(error: Error): string {
  const issues = error instanceof ApiError ? error.issues.map(({ message }) => message) : []
  return [error.message, ...issues.slice(0, SHOWN_PROBLEMS)].join(' ')
}
