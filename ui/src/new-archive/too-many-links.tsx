import { Alert } from '../base/alert.tsx'
import { formatCount } from '../base/format.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import styles from './too-many-links.module.css'

export interface TooManyLinksProps {
  linkCount: number
  maxLinks: number
}

/** Says that one archive can't hold all links. The bar below offers what can be done. */
export function TooManyLinks(props: TooManyLinksProps) {
  return (
    <div class={styles.tooMany}>
      <Alert tone="warning">
        <p>
          {newArchiveCopy.pack.tooMany(
            formatCount(props.linkCount - props.maxLinks),
            formatCount(props.maxLinks),
          )}
        </p>
      </Alert>
    </div>
  )
}
