import { Snippet } from '../base/snippet.tsx'
import styles from './start-at-login.module.css'

/**
 * The command by which Holdall starts by itself. It is typed on the machine, since a key that somebody has stolen must not be
 * enough to change what the machine starts.
 */
export function StartAtLogin() {
  return (
    <section class={styles.section} aria-labelledby="start-at-login">
      <h2 id="start-at-login">Start at login</h2>
      <p class={styles.text}>
        To start Holdall whenever you log in, stop it and run this with the settings below. As root on Linux,
        it starts with the machine.
      </p>
      <div class={styles.command}>
        <Snippet label="In a terminal" text="holdall install" copyLabel="Copy command" isCompact />
      </div>
    </section>
  )
}
