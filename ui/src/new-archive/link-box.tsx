import { createMemo, createSignal, For, Show } from 'solid-js'
import styles from './link-box.module.css'
import type { LineProblem } from './parse-links.ts'
import { dropText, pasteText } from './transfer-text.ts'

export interface LinkBoxProps {
  id: string
  text: string
  problems: readonly LineProblem[]
  describedBy: string
  ref: (textArea: HTMLTextAreaElement) => void
  onText: (text: string) => void
  onSubmit: () => void
}

/** A text area for links, one per line, with line numbers and marks at lines that have a problem. */
export function LinkBox(props: LinkBoxProps) {
  const [scrollTop, setScrollTop] = createSignal(0)
  const lineCount = createMemo(() => props.text.split('\n').length)
  const numbers = createMemo(() => Array.from({ length: lineCount() }, (_, index) => index + 1).join('\n'))
  const problemLines = createMemo(() => [...new Set(props.problems.map((problem) => problem.line))])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    props.onSubmit()
  }

  const onPaste = (event: ClipboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    const textArea = event.currentTarget
    const text = event.clipboardData === null ? null : pasteText(event.clipboardData)
    if (text !== null) {
      event.preventDefault()
      insert(textArea, text)
    }
    showLineStarts(textArea)
  }

  const onDrop = async (event: DragEvent & { currentTarget: HTMLTextAreaElement }) => {
    const transfer = event.dataTransfer
    if (transfer === null) return
    const textArea = event.currentTarget
    event.preventDefault()
    const text = await dropText(transfer)
    props.onText([props.text.trimEnd(), text].filter((part) => part !== '').join('\n'))
    textArea.focus()
  }

  const insert = (textArea: HTMLTextAreaElement, text: string) => {
    textArea.setRangeText(text, textArea.selectionStart, textArea.selectionEnd, 'end')
    props.onText(textArea.value)
  }

  return (
    <div class={styles.box}>
      <div class={styles.gutter} aria-hidden="true">
        <div class={styles.lines} style={{ transform: `translateY(${-scrollTop()}px)` }}>
          <For each={problemLines()}>
            {(line) => <span class={styles.problem} style={{ '--line': line - 1 }} />}
          </For>
          <pre class={styles.numbers}>{numbers()}</pre>
        </div>
      </div>
      <textarea
        ref={props.ref}
        id={props.id}
        class={styles.text}
        wrap="off"
        rows={8}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-describedby={props.describedBy}
        aria-invalid={props.problems.length > 0}
        value={props.text}
        onInput={(event) => props.onText(event.currentTarget.value)}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      />
      <Show when={props.text === ''}>
        <div class={styles.placeholder} aria-hidden="true">
          {'https://example.org/report.pdf\nhttps://example.org/photos/summer.jpg\n…'}
        </div>
      </Show>
    </div>
  )
}

/** After a paste the text area is scrolled to the end of the last line. Scrolls back to show where the links begin. */
function showLineStarts(textArea: HTMLTextAreaElement): void {
  requestAnimationFrame(() => textArea.scrollTo({ left: 0 }))
}

/** Scrolls a line of the text area into view and selects it. */
export function selectLine(textArea: HTMLTextAreaElement, line: number): void {
  const lines = textArea.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
  const lineHeight = Number.parseFloat(getComputedStyle(textArea).lineHeight)
  textArea.focus({ preventScroll: true })
  textArea.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  textArea.scrollTo({ top: Math.max(0, (line - 3) * lineHeight), left: 0 })
  textArea.scrollIntoView({ block: 'nearest' })
}
