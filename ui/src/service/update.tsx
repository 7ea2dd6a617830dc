import styles from './update.module.css'

/** How Holdall is updated: by hand, because a running service can't replace itself. */
export function Update() {
  return (
    <section aria-labelledby="update">
      <h2 id="update">Update</h2>
      <p class={styles.text}>
        Stop Holdall, replace its executable with the new one, and start it again. Your archives, keys and
        settings stay.
      </p>
    </section>
  )
}
