import { showMixed } from '../base/mixed-checkbox.ts'
import { useRowTabIndex } from '../base/row-focus.ts'
import styles from './file-list.module.css'

export interface SelectBoxProps {
  label: string
  /** How many folders the row is in. */
  depth: number
  /** How many of the row's files are selected. */
  state: 'all' | 'some' | 'none'
  /** Selects the row, or no longer; with all up to the one that was selected before, if `isRange`. */
  onSelect: (isRange: boolean) => void
}

/** The checkbox of a row in the list of files. */
export function SelectBox(props: SelectBoxProps) {
  const tabIndex = useRowTabIndex()

  /** The browser toggles a checkbox when the key is released, and doesn't say that Shift was held. */
  function onKey(event: KeyboardEvent) {
    if (event.key !== ' ' || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (event.type === 'keydown') props.onSelect(true)
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
        data-column="select"
        tabindex={tabIndex()}
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
