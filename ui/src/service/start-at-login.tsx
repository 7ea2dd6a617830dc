import { Snippet } from '../base/snippet.tsx'
import { serviceCopy } from '../language/english/service.ts'
import styles from './start-at-login.module.css'

const copy = serviceCopy.start

/**
 * The command by which Holdall starts by itself. It is typed on the machine, since a key that somebody has stolen must not be
 * enough to change what the machine starts.
 */
export function StartAtLogin() {
  return (
    <section class={styles.section} aria-labelledby="start-at-login">
      <h2 id="start-at-login">{copy.title}</h2>
      <p class={styles.text}>{copy.text}</p>
      <div class={styles.command}>
        <Snippet label={copy.terminal} text="holdall install" copyLabel={copy.copy} isCompact />
      </div>
    </section>
  )
}
