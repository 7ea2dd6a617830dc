import { type Component, type JSX, type ParentProps, Show } from 'solid-js'
import styles from './list-row.module.css'

export interface ListRowProps {
  icon: Component<{ size?: number }>
  /** The colour of the icon; by default the accent colour. */
  tone?: 'muted' | 'danger' | 'success' | undefined
  title: JSX.Element
  badge?: string | undefined
  /** Elements, which are separated by dots or stand below each other. */
  details: JSX.Element
}

/** A row of a `ListSection`: an icon, a title, details below it, and the actions on it as children. */
export function ListRow(props: ParentProps<ListRowProps>) {
  return (
    <li class={styles.row}>
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
