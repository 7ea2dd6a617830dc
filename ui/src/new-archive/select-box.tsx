import { showMixed } from '../base/mixed-checkbox.ts'
import styles from './file-list.module.css'

export interface SelectBoxProps {
  label: string
  /** How many folders the row is in. */
  depth: number
  /** How many of the row's files are selected. */
  state: 'all' | 'some' | 'none'
  /** Selects the row, or no longer; with all up to the one that was selected before, if `isRange`. */
  onSelect: (isRange: boolean) => void
  /** Moves between the checkboxes by a number of rows, and selects on the way if Shift is held. */
  onMoveSelecting: (step: number, isSelecting: boolean) => void
}

/** The checkbox of a row in the list of files. */
export function SelectBox(props: SelectBoxProps) {
  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    // The browser toggles a checkbox when the key is released, and doesn't say that Shift was held.
    const isRange = event.key === ' ' && event.shiftKey
    if (step === 0 && !isRange) return
    event.preventDefault()
    if (event.type === 'keyup') return
    if (isRange) props.onSelect(true)
    else props.onMoveSelecting(step, event.shiftKey)
  }

  return (
    // Around the checkbox, so that a finger hits it.
    <label
      class={styles.check}
      style={{ '--depth': props.depth }}
      // With Shift, the browser would select the text of the rows.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    >
      <span class="visually-hidden">{props.label}</span>
      <input
        type="checkbox"
        checked={props.state === 'all'}
        ref={(box) => showMixed(box, () => props.state === 'some')}
        onClick={(event) => {
          // The state of the view decides what is checked.
          const { currentTarget, shiftKey } = event
          currentTarget.focus()
          props.onSelect(shiftKey)
          queueMicrotask(() => {
            currentTarget.checked = props.state === 'all'
            currentTarget.indeterminate = props.state === 'some'
          })
        }}
        on:keydown={onKey}
        on:keyup={onKey}
      />
    </label>
  )
}
