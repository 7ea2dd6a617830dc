import { Alert } from '../base/alert.tsx'
import { formatCount } from '../base/format.ts'
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
          {formatCount(props.linkCount - props.maxLinks)} too many: an archive can hold{' '}
          {formatCount(props.maxLinks)} files.
        </p>
      </Alert>
    </div>
  )
}
