import { createUniqueId, type JSX } from 'solid-js'
import styles from './field.module.css'

/** A label and a form control. `children` renders the control with the id that the label refers to. */
export function Field(props: { label: string; children: (id: string) => JSX.Element }) {
  const id = createUniqueId()
  return (
    <div class={styles.field}>
      <label for={id} class={styles.label}>
        {props.label}
      </label>
      {props.children(id)}
    </div>
  )
}
