import { Button } from '../../base/button.tsx'
import { countOf } from '../../base/format.ts'
import styles from './fix-bar.module.css'
import type { LinkFixes } from './link-fixes.ts'

/** Stands at the foot of the window while links have been corrected and the job has not gone on. */
export function FixBar(props: { fixes: LinkFixes; onContinue: () => void }) {
  return (
    <div class={styles.bar}>
      <p class={styles.words} role="status">
        {countOf(props.fixes.count(), 'link')} corrected
      </p>
      <Button variant="ghost" onClick={() => props.fixes.clear()}>
        Undo
      </Button>
      <Button variant="primary" onClick={() => props.onContinue()}>
        Continue
      </Button>
    </div>
  )
}
