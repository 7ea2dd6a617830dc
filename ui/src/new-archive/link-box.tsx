import { createMemo, createSignal, For, Show } from 'solid-js'
import styles from './link-box.module.css'
import type { LineProblem } from './parse-links.ts'
import { textOfPaste, textOfTransfer } from './text-of-transfer.ts'

export interface LinkBoxProps {
  id: string
  text: string
  problems: readonly LineProblem[]
  describedBy: string
  ref: (box: HTMLTextAreaElement) => void
  onText: (text: string) => void
  onSubmit: () => void
}

/** A box for a link a line, with the lines numbered and those with a problem marked. */
export function LinkBox(props: LinkBoxProps) {
  const [scrollTop, setScrollTop] = createSignal(0)
  const lineCount = createMemo(() => props.text.split('\n').length)
  const numbers = createMemo(() => Array.from({ length: lineCount() }, (_, index) => index + 1).join('\n'))
  const wrongLines = createMemo(() => [...new Set(props.problems.map((problem) => problem.line))])

  const submitByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    props.onSubmit()
  }

  const paste = (event: ClipboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    const box = event.currentTarget
    const text = event.clipboardData === null ? null : textOfPaste(event.clipboardData)
    if (text !== null) {
      event.preventDefault()
      insert(box, text)
    }
    showLineStarts(box)
  }

  const drop = async (event: DragEvent & { currentTarget: HTMLTextAreaElement }) => {
    const transfer = event.dataTransfer
    if (transfer === null) return
    const box = event.currentTarget
    event.preventDefault()
    const text = await textOfTransfer(transfer)
    props.onText([props.text.trimEnd(), text].filter((part) => part !== '').join('\n'))
    box.focus()
  }

  const insert = (box: HTMLTextAreaElement, text: string) => {
    box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end')
    props.onText(box.value)
  }

  return (
    <div class={styles.box}>
      <div class={styles.gutter} aria-hidden="true">
        <div class={styles.lines} style={{ transform: `translateY(${-scrollTop()}px)` }}>
          <For each={wrongLines()}>
            {(line) => <span class={styles.wrong} style={{ '--line': line - 1 }} />}
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
        onKeyDown={submitByKey}
        onPaste={paste}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      />
      <Show when={props.text === ''}>
        <div class={styles.hint} aria-hidden="true">
          {'https://example.org/report.pdf\nhttps://example.org/photos/summer.jpg\n…'}
        </div>
      </Show>
    </div>
  )
}

/** A paste leaves the box where its last line ends: what tells links apart is where they begin. */
function showLineStarts(box: HTMLTextAreaElement): void {
  requestAnimationFrame(() => box.scrollTo({ left: 0 }))
}

/** Brings a line of the box into view and selects it. */
export function selectLine(box: HTMLTextAreaElement, line: number): void {
  const lines = box.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
  const lineHeight = Number.parseFloat(getComputedStyle(box).lineHeight)
  box.focus({ preventScroll: true })
  box.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  box.scrollTo({ top: Math.max(0, (line - 3) * lineHeight), left: 0 })
  box.scrollIntoView({ block: 'nearest' })
}
