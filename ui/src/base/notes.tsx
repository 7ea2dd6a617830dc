import X from 'lucide-solid/icons/x'
import { createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { Button, IconButton } from './button.tsx'
import styles from './notes.module.css'

/** Long enough to read and to reach for "Undo"; pointing at a note or focusing it holds it. */
const NOTE_MS = 7_000

export interface Note {
  readonly text: string
  /** Takes back what the note tells of. */
  readonly undo?: () => void
  /** The note has gone and nothing was taken back. */
  readonly onGone?: () => void
}

const [notes, setNotes] = createSignal<readonly Note[]>([])

/** Says something at the foot of the screen for some seconds. */
export function showNote(note: Note): void {
  setNotes((notes) => [...notes, note])
}

function dropNote(note: Note): void {
  setNotes((notes) => notes.filter((other) => other !== note))
}

/** Where notes appear; once in the page, at its foot. */
export function Notes() {
  return (
    <section class={styles.notes} aria-label="Notes">
      <For each={notes()}>{(note) => <NoteBox note={note} />}</For>
    </section>
  )
}

function NoteBox(props: { note: Note }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    dropNote(props.note)
    props.note.onGone?.()
  }
  const takeBack = () => {
    dropNote(props.note)
    props.note.undo?.()
  }
  const hold = () => clearTimeout(timer)
  const release = () => {
    hold()
    timer = setTimeout(leave, NOTE_MS)
  }
  onMount(release)
  onCleanup(hold)
  return (
    <div
      role="status"
      class={styles.note}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
    >
      <p class={styles.text}>{props.note.text}</p>
      <Show when={props.note.undo}>
        <Button look="quiet" onClick={takeBack}>
          Undo
        </Button>
      </Show>
      <IconButton label="Dismiss" onClick={leave}>
        <X size={18} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
