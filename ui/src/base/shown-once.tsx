import { type JSX, onMount } from 'solid-js'
import { controlsCopy } from '../language/english/controls.ts'
import { Button } from './button.tsx'
import styles from './shown-once.module.css'

export interface ShownOnceProps {
  id: string
  title: string
  /** Why it must be copied now. */
  lead: JSX.Element
  onDone: () => void
  children: JSX.Element
}

/** A secret that was just created, and can't be shown again later. Gets the focus. */
export function ShownOnce(props: ShownOnceProps) {
  let heading: HTMLHeadingElement | undefined
  onMount(() => heading?.focus())
  return (
    <section class={styles.shownOnce} aria-labelledby={props.id}>
      <div>
        <h2 ref={heading} id={props.id} class={styles.title} tabindex="-1">
          {props.title}
        </h2>
        <p class={styles.lead}>{props.lead}</p>
      </div>
      {props.children}
      <div class={styles.footer}>
        <Button onClick={() => props.onDone()}>{controlsCopy.done}</Button>
      </div>
    </section>
  )
}
