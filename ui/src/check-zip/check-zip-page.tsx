import CircleCheck from 'lucide-solid/icons/circle-check'
import FileSearch from 'lucide-solid/icons/file-search'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import {
  createSignal,
  createUniqueId,
  For,
  type JSX,
  Match,
  onCleanup,
  onMount,
  Show,
  Switch,
} from 'solid-js'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { formatBytes } from '../base/format.ts'
import { type Message, messageOf, translated } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { PageHeader } from '../base/page.tsx'
import { ProgressBar } from '../base/progress-bar.tsx'
import { STOPPED } from '../base/stopped.ts'
import { baseCopy } from '../language/english/base.ts'
import { checkZipCopy } from '../language/english/check-zip.ts'
import { type CheckedZip, checkZip } from './check-zip.ts'
import styles from './check-zip-page.module.css'

/** Checks a ZIP file that is dropped on the page or chosen. Nothing is uploaded. */
export function CheckZipPage() {
  const check = createCheck()
  const [isDragging, setDragging] = createSignal(false)
  listenToDrops((file) => check.start(file), setDragging)
  let input: HTMLInputElement | undefined
  const choose = () => input?.click()
  return (
    <>
      <PageHeader title={checkZipCopy.title} lead={checkZipCopy.lead} />
      <input
        ref={(element) => {
          input = element
        }}
        type="file"
        class="visually-hidden"
        tabindex="-1"
        aria-label={checkZipCopy.file}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) check.start(file)
          currentTarget.value = ''
        }}
      />
      <Card>
        <div class={styles.box} data-dragging={isDragging() ? '' : undefined}>
          <Switch>
            <Match when={check.state().kind === 'none'}>
              <FileSearch size={32} aria-hidden="true" />
              <p class={styles.title}>{checkZipCopy.drop}</p>
              <p class={styles.hint}>{checkZipCopy.dropText}</p>
              <Button onClick={choose}>{checkZipCopy.choose}</Button>
            </Match>
            <Match when={check.running()}>
              {(running) => (
                <>
                  <p class={styles.title}>{running().file.name}</p>
                  <div class={styles.progress}>
                    <ProgressBar label={checkZipCopy.checking} fraction={running().fraction} animated />
                  </div>
                  <Button onClick={() => check.stop()}>{checkZipCopy.stop}</Button>
                </>
              )}
            </Match>
            <Match when={check.failed()}>
              {(message) => (
                <>
                  <Alert>
                    <MessageText message={message()} />
                  </Alert>
                  <Button onClick={choose}>{checkZipCopy.choose}</Button>
                </>
              )}
            </Match>
            <Match when={check.checked()}>
              {(checked) => (
                <>
                  <Verdict file={checked().file} result={checked().result} />
                  <Button onClick={choose}>{checkZipCopy.chooseAnother}</Button>
                </>
              )}
            </Match>
          </Switch>
        </div>
      </Card>
      <Show when={check.checked()}>
        {(checked) => (
          <>
            <FindingList
              title={checkZipCopy.problems(checked().result.findingCount)}
              list={checked().result.findings}
              count={checked().result.findingCount}
            />
            <FindingList
              title={checkZipCopy.worthKnowing}
              list={checked().result.remarks}
              count={checked().result.remarkCount}
            />
          </>
        )}
      </Show>
    </>
  )
}

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly file: File; readonly fraction: number }
  | { readonly kind: 'failed'; readonly message: Message }
  | { readonly kind: 'checked'; readonly file: File; readonly result: CheckedZip }

function createCheck() {
  const [state, setState] = createSignal<State>({ kind: 'none' })
  let current = new AbortController()
  onCleanup(() => current.abort(STOPPED))

  async function run(file: File, signal: AbortSignal): Promise<void> {
    let done = 0
    setState({ kind: 'running', file, fraction: 0 })
    try {
      const result = await checkZip(file, {
        signal,
        onProgress(bytes) {
          done += bytes
          setState({ kind: 'running', file, fraction: done / Math.max(1, file.size) })
        },
      })
      setState({ kind: 'checked', file, result })
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', message: messageOf(error) })
    }
  }

  return {
    state,
    running: () => pick(state(), 'running'),
    failed: () => pick(state(), 'failed')?.message,
    checked: () => pick(state(), 'checked'),
    start(file: File) {
      current.abort(STOPPED)
      current = new AbortController()
      void run(file, current.signal)
    },
    stop() {
      current.abort(STOPPED)
      setState({ kind: 'none' })
    },
  }
}

function pick<Kind extends State['kind']>(
  state: State,
  kind: Kind,
): Extract<State, { kind: Kind }> | undefined {
  return isOf(state, kind) ? state : undefined
}

function isOf<Kind extends State['kind']>(state: State, kind: Kind): state is Extract<State, { kind: Kind }> {
  return state.kind === kind
}

function Verdict(props: { file: File; result: CheckedZip }): JSX.Element {
  const facts = () => {
    const { fileCount, unpackedBytes, checksums } = props.result
    const listed = checksums === null ? [] : [checkZipCopy.compared(checksums.checkedCount, checksums.name)]
    return [
      baseCopy.files(fileCount),
      formatBytes(props.file.size),
      checkZipCopy.unpacked(formatBytes(unpackedBytes)),
      ...listed,
    ].join(' · ')
  }
  return (
    <div class={styles.verdict} data-right={props.result.findingCount === 0 ? '' : undefined} role="status">
      <Show when={props.result.findingCount === 0} fallback={<TriangleAlert size={32} aria-hidden="true" />}>
        <CircleCheck size={32} aria-hidden="true" />
      </Show>
      <p class={styles.title}>
        {props.result.findingCount === 0
          ? checkZipCopy.allRight(props.file.name)
          : checkZipCopy.hasProblems(props.file.name, props.result.findingCount)}
      </p>
      <p class={styles.hint}>{facts()}</p>
    </div>
  )
}

function FindingList(props: { title: string; list: CheckedZip['remarks']; count: number }): JSX.Element {
  const id = createUniqueId()
  return (
    <Show when={props.list.length > 0}>
      <section class={styles.section} aria-labelledby={id}>
        <h2 id={id}>{props.title}</h2>
        <Card>
          <ul>
            <For each={props.list.slice(0, MAX_SHOWN)}>
              {({ code, entry, message }) => (
                <li class={styles.finding}>
                  <Show when={entry !== null}>
                    <bdi class={styles.entry}>{entry}</bdi>
                  </Show>
                  <MessageText message={translated(checkZipCopy.finding(code, message), message)} />
                </li>
              )}
            </For>
            <Show when={props.count > MAX_SHOWN}>
              <li class={styles.finding}>{checkZipCopy.more(props.count - MAX_SHOWN)}</li>
            </Show>
          </ul>
        </Card>
      </section>
    </Show>
  )
}

/** A file can be dropped anywhere on the page. */
function listenToDrops(onFile: (file: File) => void, onDragging: (isDragging: boolean) => void): void {
  onMount(() => {
    const controller = new AbortController()
    const { signal } = controller
    const dragover = (event: DragEvent) => {
      // Otherwise, the browser would open what is dropped.
      event.preventDefault()
      onDragging(true)
    }
    const dragleave = (event: DragEvent) => {
      if (event.relatedTarget === null) onDragging(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      onDragging(false)
      const [file] = event.dataTransfer?.files ?? []
      if (file !== undefined) onFile(file)
    }
    document.addEventListener('dragover', dragover, { signal })
    document.addEventListener('dragleave', dragleave, { signal })
    document.addEventListener('drop', drop, { signal })
    onCleanup(() => controller.abort(STOPPED))
  })
}

/** Nobody reads more. */
const MAX_SHOWN = 100
