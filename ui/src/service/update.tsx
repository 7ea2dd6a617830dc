import { serviceCopy } from '../language/english/service.ts'
import styles from './update.module.css'

const copy = serviceCopy.update

/** How Holdall is updated: by hand, because a running service can't replace itself. */
export function Update() {
  return (
    <section aria-labelledby="update">
      <h2 id="update">{copy.title}</h2>
      <p class={styles.text}>{copy.text}</p>
    </section>
  )
}
