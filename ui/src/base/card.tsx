import type { ParentProps } from 'solid-js'
import styles from './card.module.css'

export interface CardProps {
  /** Lays out the content. */
  class?: string | undefined
  /** Leaves space around the content. */
  isPadded?: boolean
  ref?: (element: HTMLDivElement) => void
}

/** A surface around related content. */
export function Card(props: ParentProps<CardProps>) {
  return (
    <div
      ref={props.ref}
      class={[styles.card, props.class].filter(Boolean).join(' ')}
      data-padded={props.isPadded ? '' : undefined}
    >
      {props.children}
    </div>
  )
}
