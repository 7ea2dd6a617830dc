import { createUniqueId } from 'solid-js'
import styles from './checkbox.module.css'

export interface CheckboxProps {
  label: string
  /** A sentence below the label. */
  help: string
  checked: boolean
  onChange: (isChecked: boolean) => void
}

/** A checkbox with its label and an explanation. */
export function Checkbox(props: CheckboxProps) {
  const id = createUniqueId()
  return (
    <div class={styles.checkbox}>
      <input
        id={id}
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <label for={id}>
        {props.label}
        <span class={styles.help}>{props.help}</span>
      </label>
    </div>
  )
}
