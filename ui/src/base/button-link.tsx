import { A, type AnchorProps } from '@solidjs/router'
import { splitProps } from 'solid-js'
import styles from './button.module.css'
import type { ButtonStyleProps } from './button.tsx'

/** A link to another page that looks like a button. Not beside the buttons: the page for receivers has no router. */
export function ButtonLink(props: ButtonStyleProps & AnchorProps) {
  const [own, rest] = splitProps(props, ['variant', 'size'])
  return <A {...rest} class={styles.button} data-variant={own.variant ?? 'secondary'} data-size={own.size} />
}
