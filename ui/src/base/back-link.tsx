import { A } from '@solidjs/router'
import ArrowLeft from 'lucide-solid/icons/arrow-left'
import type { ParentProps } from 'solid-js'
import styles from './back-link.module.css'

/** A link above the title of a page, to the page with the list that it belongs to. */
export function BackLink(props: ParentProps<{ href: string }>) {
  return (
    <A class={styles.back} href={props.href}>
      <ArrowLeft size={18} aria-hidden="true" />
      {props.children}
    </A>
  )
}
