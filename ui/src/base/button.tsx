import { A, type AnchorProps } from '@solidjs/router'
import { type JSX, splitProps } from 'solid-js'
import styles from './button.module.css'

export interface ButtonLook {
  /** `primary` is for the one thing that a screen is about, `danger` for what can't be taken back. */
  look?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  size?: 'medium' | 'large' | undefined
}

/** For what happens here. */
export function Button(props: ButtonLook & JSX.ButtonHTMLAttributes<HTMLButtonElement>) {
  const [look, rest] = splitProps(props, ['look', 'size'])
  return (
    <button
      type="button"
      {...rest}
      class={styles.button}
      data-look={look.look ?? 'secondary'}
      data-size={look.size}
    />
  )
}

/** For another page. */
export function ButtonLink(props: ButtonLook & AnchorProps) {
  const [look, rest] = splitProps(props, ['look', 'size'])
  return <A {...rest} class={styles.button} data-look={look.look ?? 'secondary'} data-size={look.size} />
}

/** For a file, which the browser fetches itself. */
export function DownloadLink(props: ButtonLook & JSX.AnchorHTMLAttributes<HTMLAnchorElement>) {
  const [look, rest] = splitProps(props, ['look', 'size'])
  return (
    // Without target: the router leaves links with `download` alone.
    <a download="" {...rest} class={styles.button} data-look={look.look ?? 'secondary'} data-size={look.size}>
      {rest.children}
    </a>
  )
}

/** A button of an icon alone; its label is read out and shown as a tooltip. */
export function IconButton(props: { label: string } & JSX.ButtonHTMLAttributes<HTMLButtonElement>) {
  const [own, rest] = splitProps(props, ['label'])
  return <button type="button" {...rest} class={styles.icon} aria-label={own.label} title={own.label} />
}

/** What makes another component look like an {@link IconButton}. */
export const iconButtonClass = styles.icon
