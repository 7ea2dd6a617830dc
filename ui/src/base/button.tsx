import { A, type AnchorProps } from '@solidjs/router'
import { type JSX, splitProps } from 'solid-js'
import styles from './button.module.css'

export interface ButtonStyleProps {
  /** `primary` is for the one thing that a screen is about, `danger` for what can't be taken back. */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined
  size?: 'medium' | 'large' | undefined
}

/** For what happens here. */
export function Button(props: ButtonStyleProps & JSX.ButtonHTMLAttributes<HTMLButtonElement>) {
  const [own, rest] = splitProps(props, ['variant', 'size'])
  return (
    <button
      type="button"
      {...rest}
      class={styles.button}
      data-variant={own.variant ?? 'secondary'}
      data-size={own.size}
    />
  )
}

/** For another page. */
export function ButtonLink(props: ButtonStyleProps & AnchorProps) {
  const [own, rest] = splitProps(props, ['variant', 'size'])
  return <A {...rest} class={styles.button} data-variant={own.variant ?? 'secondary'} data-size={own.size} />
}

/** For a file, which the browser fetches itself. */
export function DownloadLink(props: ButtonStyleProps & JSX.AnchorHTMLAttributes<HTMLAnchorElement>) {
  const [own, rest] = splitProps(props, ['variant', 'size'])
  return (
    // Without target: the router leaves links with `download` alone.
    <a
      download=""
      {...rest}
      class={styles.button}
      data-variant={own.variant ?? 'secondary'}
      data-size={own.size}
    >
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
