import { Snippet } from '../base/snippet.tsx'
import styles from './start-and-update.module.css'

/** How Holdall starts by itself, and how it is updated: by hand, because a running service can't replace itself. */
export function StartAndUpdate() {
  return (
    <section class={styles.section} aria-labelledby="start-and-update">
      <h2 id="start-and-update">Start and update</h2>
      <p class={styles.text}>
        To start Holdall whenever you log in, stop it and run this with the settings below. As root on Linux,
        it starts with the machine.
      </p>
      <div class={styles.command}>
        <Snippet label="In a terminal" text="holdall install" copyLabel="Copy command" isCompact />
      </div>
      <p class={styles.text}>
        To update, stop Holdall, replace its executable with the new one, and start it again. Your archives,
        keys and settings stay.
      </p>
    </section>
  )
}
