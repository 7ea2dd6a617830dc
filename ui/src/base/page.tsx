import { createEffect, type JSX, type ParentProps, Show } from 'solid-js'
import styles from './page.module.css'

export interface PageHeadProps {
  title: string
  /** What tabs and the history show, where that is not the title. */
  documentTitle?: string
  lead?: JSX.Element
  /** The title is a name of something, of any length. */
  isName?: boolean
}

/** The head of a page: its title, a line under it, and at its end what can be done. */
export function PageHead(props: ParentProps<PageHeadProps>) {
  useDocumentTitle(() => props.documentTitle ?? props.title)
  return (
    <div class={styles.head} data-name={props.isName ? '' : undefined}>
      <div class={styles.words}>
        <h1 class={styles.title}>{props.title}</h1>
        <Show when={props.lead}>
          <p class={styles.lead}>{props.lead}</p>
        </Show>
      </div>
      {props.children}
    </div>
  )
}

/** Names the document. */
export function useDocumentTitle(title: () => string): void {
  createEffect(() => {
    document.title = `${title()} · Holdall`
  })
}
