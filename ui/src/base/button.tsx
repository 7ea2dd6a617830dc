import { type JSX, splitProps } from 'solid-js'
import styles from './button.module.css'

export interface ButtonStyleProps {
  /** `primary` is for the main action of a screen, `danger` for an action that can't be undone. `ghost` has no outline. */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined
  size?: 'medium' | 'large' | undefined
}

/** A button for an action on the current page. */
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

/** A link to a file, which the browser downloads. */
export function DownloadLink(props: ButtonStyleProps & JSX.AnchorHTMLAttributes<HTMLAnchorElement>) {
  const [own, rest] = splitProps(props, ['variant', 'size'])
  return (
    // Needs no `target`, because the router ignores links with `download`.
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

/** A button that shows only an icon. Screen readers announce its label, which is also its tooltip. */
export function IconButton(props: { label: string } & JSX.ButtonHTMLAttributes<HTMLButtonElement>) {
  const [own, rest] = splitProps(props, ['label'])
  return <button type="button" {...rest} class={styles.icon} aria-label={own.label} title={own.label} />
}

/** The class that makes another component look like a {@link Button}, with its `data-variant` and `data-size`. */
export const buttonClass = styles.button

/** The class that makes another component look like an {@link IconButton}. */
export const iconButtonClass = styles.icon
