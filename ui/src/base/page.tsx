import { createEffect, type JSX, type ParentProps, Show } from 'solid-js'
import styles from './page.module.css'

export interface PageHeaderProps {
  title: string
  /** The title of the browser tab, if it differs from the page title. */
  documentTitle?: string
  lead?: JSX.Element
  /** The title is a user's file name, which may be long, and is shown smaller. */
  isFileName?: boolean
}

/** The page title, an optional line below it, and the page's actions as children. */
export function PageHeader(props: ParentProps<PageHeaderProps>) {
  useDocumentTitle(() => props.documentTitle ?? props.title)
  return (
    <div class={styles.header} data-file-name={props.isFileName ? '' : undefined}>
      <div class={styles.text}>
        <h1 class={styles.title}>{props.title}</h1>
        <Show when={props.lead}>
          <p class={styles.lead}>{props.lead}</p>
        </Show>
      </div>
      {props.children}
    </div>
  )
}

/** Sets the title of the browser tab. */
export function useDocumentTitle(title: () => string): void {
  createEffect(() => {
    document.title = `${title()} · Holdall`
  })
}
