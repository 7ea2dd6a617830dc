import type { JSX } from 'solid-js'
import styles from './files-layout.module.css'

export interface FilesLayoutProps {
  map: JSX.Element
  /** What the colours of the map mean. */
  legend?: JSX.Element
  /** What is above the list: its counts and actions. */
  bar: JSX.Element
  list: JSX.Element
}

/** The files of an archive as a map and as a list: side by side if there is room. */
export function FilesLayout(props: FilesLayoutProps) {
  return (
    <div class={styles.files}>
      <div class={styles.map}>
        <div class={styles.cells}>{props.map}</div>
        {props.legend}
      </div>
      <div class={styles.bar}>{props.bar}</div>
      <div class={styles.list}>{props.list}</div>
    </div>
  )
}
