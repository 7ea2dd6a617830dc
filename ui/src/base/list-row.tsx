import { type Component, type JSX, onCleanup, type ParentProps, Show } from 'solid-js'
import styles from './list-row.module.css'

export interface ListRowProps {
  icon: Component<{ size?: number }>
  /** The colour of the icon; by default that of an accent. */
  tone?: 'muted' | 'danger' | 'success' | undefined
  title: JSX.Element
  badge?: string | undefined
  /** Elements, which are separated by dots or stand below each other. */
  details: JSX.Element
}

/** A row of a `ListSection`: an icon, a title, details below it, and the actions on it as children. */
export function ListRow(props: ParentProps<ListRowProps>) {
  let row: HTMLLIElement | undefined
  // Without this, keyboard users would start over at the top of the page when the row with the focus is removed.
  onCleanup(() => {
    if (row?.contains(document.activeElement)) row.closest('section')?.querySelector('h2')?.focus()
  })
  return (
    <li ref={row} class={styles.row}>
      <span class={styles.disc} data-tone={props.tone} aria-hidden="true">
        <props.icon size={18} />
      </span>
      <div class={styles.text}>
        <p class={styles.name}>
          <span class={styles.label}>{props.title}</span>
          <Show when={props.badge}>
            <span class={styles.badge}>{props.badge}</span>
          </Show>
        </p>
        <p class={styles.details}>{props.details}</p>
      </div>
      {props.children}
    </li>
  )
}
